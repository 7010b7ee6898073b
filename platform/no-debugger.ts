// SIGUSR1 makes Node.js open its debugger, which reads every key and every secret in memory. This file must be imported before
// everything else, so that the signal never has this effect.
process.on('SIGUSR1', () => undefined);
