"""What tries the steps of docs/run/install.md and the files of deploy/ on a new machine."""
