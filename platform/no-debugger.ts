// SIGUSR1 makes Node.js open its debugger, which can read every secret in memory. This file must be imported before all other
// files, or a signal while other files load opens the debugger.
process.on('SIGUSR1', () => undefined);
