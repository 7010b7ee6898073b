// SIGUSR1 makes Node.js open its debugger, which can read every key and every secret in memory. This file must be imported
// before all other files, so that the signal never has this effect.
process.on('SIGUSR1', () => undefined);
