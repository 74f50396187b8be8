"""What tries the steps of README.md and the files of deploy/, on a machine that was not set up."""
