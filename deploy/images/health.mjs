// node health.mjs <http address, socket path or host:port>: exits with 0 if this target responds. With this file an image needs
// no other program for its health check.
import { connect } from 'node:net';

const LIMIT_MS = 4_000;

async function answersHttp(address) {
  const response = await fetch(address, { signal: AbortSignal.timeout(LIMIT_MS) });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}

function accepts(place) {
  const [, host, port] = /^([\d.]+):(\d+)$/.exec(place) ?? [];
  return new Promise((resolve, reject) => {
    const socket = connect(host === undefined ? { path: place } : { host, port: Number(port) }, resolve).once('error', reject);
    socket.setTimeout(LIMIT_MS, () => reject(new Error(`${place} does not accept a connection within ${LIMIT_MS} ms`)));
  });
}

const [, , target = ''] = process.argv;
try {
  await (target.startsWith('http') ? answersHttp(target) : accepts(target));
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
