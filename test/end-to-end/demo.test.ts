import { join } from 'node:path';
import { freePort } from '../../local/free-port';
import { run, SCRIPTS } from '../scripts/script';
import { createService, type Service } from '../support/service';

jest.setTimeout(300_000);

let service: Service;
beforeAll(async () => {
  const [bitcoin, solana] = await Promise.all([freePort(), freePort()]);
  const ports = { BITCOIN_PORT: String(bitcoin), SOLANA_PORT: String(solana) };
  service = await createService({ LOCAL_NETWORKS: 'bitcoin,solana', ...ports });
  await service.start();
});
afterAll(() => service?.close());

test('npm run demo ends with its transfer confirmed, also beside other local networks', async () => {
  const { code, output } = await run([join(SCRIPTS, 'demo.mjs')], service.env);
  expect(output).toContain('confirmed by the chain');
  expect(code).toBe(0);
});
