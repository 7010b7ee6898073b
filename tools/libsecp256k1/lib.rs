// Nothing is compiled with Rust: cargo fetches the C source of the crate and checks it against Cargo.lock.
