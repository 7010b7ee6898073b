// SIGUSR1 makes Node.js open its debugger, which can read every secret in memory. This file must be imported before all other
// files, or the signal can still have this effect.
process.on('SIGUSR1', () => undefined);
