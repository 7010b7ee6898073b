// Ends this process, which Jest's workers share, as soon as Jest is gone, because a killed Jest runs no teardown.
const LOOK_EVERY_MS = 1_000;
const jest = Number(process.env.JEST_PID);
setInterval(() => {
  try {
    process.kill(jest, 0);
  } catch {
    process.kill(process.pid, 'SIGTERM');
  }
}, LOOK_EVERY_MS).unref();
