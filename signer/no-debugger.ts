// SIGUSR1 makes Node open its debugger, which reads every key in memory. Imported before everything else, so that the signal does nothing.
process.on('SIGUSR1', () => undefined);
