"""The parts of `benchmarks.nine_oclock`, which describes and runs them."""
