import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { RootKeys } from '../escrow/key-shares';
import { ArchiveRefused } from './archive-refused';

/**
 * Throws `ArchiveRefused` if the folder already contains different keys, because data may be sealed under those keys. `write`
 * writes only missing files.
 */
export async function planKeyFiles(
  folder: string,
  { signerKek, dataKek }: RootKeys,
): Promise<{ readonly write: () => Promise<void> }> {
  const wanted = [
    { path: join(folder, 'signer-kek'), key: signerKek },
    { path: join(folder, 'data-kek'), key: dataKek },
  ];
  for (const { path, key } of wanted) {
    if (existsSync(path) && readFileSync(path, 'utf8').trim() !== key.toString('hex')) {
      throw new ArchiveRefused(`${path} exists and contains another key: this folder belongs to another deployment`);
    }
  }
  return {
    async write() {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (const { path, key } of wanted.filter((one) => !existsSync(one.path))) {
        const file = await open(path, 'wx', 0o400);
        await file.writeFile(`${key.toString('hex')}\n`);
        await file.sync();
        await file.close();
      }
    },
  };
}
