// SIGUSR1 makes Node open its debugger, which reads every key and every secret in memory. Imported before everything else, so that the signal does nothing.
process.on('SIGUSR1', () => undefined);
