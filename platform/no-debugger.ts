// SIGUSR1 makes Node.js open its debugger, which can read every secret in memory. This file must be imported before all other
// files, because a signal that arrives while other files load would open the debugger.
process.on('SIGUSR1', () => undefined);
