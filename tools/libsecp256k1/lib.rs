// This library is empty and never compiled: cargo only fetches the C source of the crate and checks it against Cargo.lock.
