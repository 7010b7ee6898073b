import { randomBytes } from 'node:crypto';
import { fromBase32, toBase32 } from '../../../operator/escrow/base32';
import { combineKeys, splitKeys } from '../../../operator/escrow/key-shares';
import { type PaperShare, printShare, readShares } from '../../../operator/escrow/paper';

const keysOf = (byte: number) => ({ signerKek: Buffer.alloc(32, byte), dataKek: Buffer.alloc(32, byte + 1) });
const paper = (shares: readonly PaperShare[]) =>
  shares.flatMap((share) => ['# somebody wrote this', ...printShare(share), '']).join('\n');
const bringBack = async (text: string) => combineKeys(readShares(text));

test('base32 is that of RFC 4648 without padding', () => {
  expect(['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => toBase32(Buffer.from(text)))).toEqual([
    '',
    'MY',
    'MZXQ',
    'MZXW6',
    'MZXW6YQ',
    'MZXW6YTB',
    'MZXW6YTBOI',
  ]);
  for (let length = 0; length < 12; length += 1) {
    const bytes = randomBytes(length);
    expect(fromBase32(toBase32(bytes))).toEqual(bytes);
  }
  expect(fromBase32('MZ0W')).toBeUndefined();
});

test('any three of five sheets restore both keys, in any order, in lower case and with changed spaces', async () => {
  const keys = keysOf(7);
  const shares = await splitKeys({ signerKek: Buffer.from(keys.signerKek), dataKek: Buffer.from(keys.dataKek) }, 5, 3);
  for (const chosen of [
    [0, 1, 2],
    [4, 2, 0],
    [3, 4, 1],
    [0, 1, 2, 3, 4],
  ]) {
    const text = paper(chosen.map((at) => shares[at] as PaperShare)).toLowerCase();
    expect(await bringBack(text.replace(/ (\w{4}) (\w{4})/g, '  $1$2'))).toEqual(keys);
  }
});

test('two of three required shares restore no key, and the error names the missing shares', async () => {
  const shares = await splitKeys(keysOf(1), 5, 3);
  await expect(bringBack(paper([shares[0] as PaperShare, shares[3] as PaperShare]))).rejects.toThrow(
    /1 of the 3 required shares missing: any of number 2, 3, 5; number 1, 4 present/,
  );
  await expect(bringBack('')).rejects.toThrow(/no share/);
});

test('a copying error is reported with its share and line', async () => {
  const [one, two, three] = (await splitKeys(keysOf(3), 3, 3)) as [PaperShare, PaperShare, PaperShare];
  const good = paper([one, two, three]);
  await bringBack(good);
  const lines = printShare(two);
  for (const [at, line] of lines.entries()) {
    for (const place of [4, 9, line.length - 1]) {
      const written = line[place] === 'A' ? 'B' : 'A';
      if (line[place] === undefined || line[place] === ' ' || line[place] === written) continue;
      const wrong = good.replace(line, line.slice(0, place) + written + line.slice(place + 1));
      await expect(bringBack(wrong)).rejects.toThrow(`share 2 of the text: line ${at + 1} differs from the printed line`);
    }
  }
  const exchanged = good
    .replace(lines[2] as string, '@@')
    .replace(lines[3] as string, (lines[2] as string).replace(' 3 ', ' 4 '))
    .replace('@@', (lines[3] as string).replace(' 4 ', ' 3 '));
  await expect(bringBack(exchanged)).rejects.toThrow('share 2 of the text: line 3 differs from the printed line');
  const short = good.replace(`${lines.at(-1)}\n`, '');
  await expect(bringBack(short)).rejects.toThrow(/share 2 of the text/);
});

test('shares from two ceremonies cannot be combined, no share is used twice, and a further share identifies a forged share', async () => {
  const first = await splitKeys(keysOf(5), 4, 2);
  const second = await splitKeys(keysOf(5), 4, 2);
  await expect(bringBack(paper([first[0] as PaperShare, second[1] as PaperShare]))).rejects.toThrow(
    /share 2 of the text is from another ceremony/,
  );
  await expect(bringBack(paper([first[0] as PaperShare, first[0] as PaperShare]))).rejects.toThrow(/number 1 was entered twice/);
  const forged = { ...(first[1] as PaperShare), share: randomBytes(65) };
  await expect(bringBack(paper([first[0] as PaperShare, forged]))).rejects.toThrow(
    /one of the shares number 1, 2 differs from the printed one/,
  );
  await expect(bringBack(paper([first[0] as PaperShare, forged, first[3] as PaperShare]))).rejects.toThrow(
    /share number 2 differs from the printed one/,
  );
});
