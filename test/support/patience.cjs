/**
 * Each limit in a test is written for a quiet machine with two processors. A machine may be slower, or have other work, so a
 * test waits this many times longer before it fails. A passing test does not take longer.
 */
exports.PATIENCE = 4;
