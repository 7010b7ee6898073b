import { freePort } from '../../local/free-port';

test('of many ports that are asked for one after the other, before any is used, none is given twice', async () => {
  const ports = new Set<number>();
  for (let count = 1; count <= 600; count += 1) expect(ports.add(await freePort()).size).toBe(count);
});
