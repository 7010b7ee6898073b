import { z } from 'zod';
import { operations } from '../../../api/operations';
import { CAUSE_BODIES } from '../../../application/bodies/of-causes';
import { UnprovenRequest } from '../../../application/causes/refused';
import { isSameRequest, readText } from '../../../application/causes/signed-text';
import { CAUSES, type CauseId } from '../../../domain/causes';

const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const SHARE = {
  curve: 'secp256k1',
  protocol: 'Software',
  minSigners: 1,
  encryptedKeyShares: [{ signerId: 'sgn-1', encryptedKeyShare: 'AAAA' }],
};
const EXPORT = { encryptionKey: 'AAAA', supportedSchemes: [{ protocol: 'Software', curve: 'secp256k1' }] };
const MESSAGE = { kind: 'Eip191', message: 'hello' };

/** A body for each cause. */
const SIGNED: Readonly<Record<CauseId, object>> = {
  transferAsset: { kind: 'Native', to: TO, amount: '1' },
  cancelTransfer: {},
  speedUpTransfer: {},
  broadcastTransaction: { kind: 'Evm', to: TO, value: '1' },
  cancelTransaction: {},
  speedUpTransaction: {},
  walletsCancelSignature: {},
  walletsGenerateSignature: MESSAGE,
  keysGenerateSignature: MESSAGE,
  importKey: { ...SHARE, masterKey: true },
  importWallet: { ...SHARE, network: 'EthereumSepolia' },
  exportKey: EXPORT,
  exportWallet: EXPORT,
  deriveKey: { domain: 'aa', seed: 'bb' },
};
const CAUSE_IDS = Object.keys(CAUSES) as CauseId[];

test.each(CAUSE_IDS)('the signed text of %s is read with the schema of its operation', (cause) => {
  expect(operations.find(({ id }) => id === cause)?.body).toBe(CAUSE_BODIES[cause]);
  expect(readText<unknown>(CAUSE_BODIES[cause], JSON.stringify(SIGNED[cause]))).toEqual(SIGNED[cause]);
});

test.each(CAUSE_IDS)('a signed text that %s would refuse is unreadable', (cause) => {
  const texts = [JSON.stringify({ ...SIGNED[cause], unknown: true }), '[]', 'null', '{"a":1,"a":2}', '{'];
  for (const text of texts)
    expect(() => readText<unknown>(CAUSE_BODIES[cause], text)).toThrow(new UnprovenRequest('BodyUnreadable'));
});

test('an empty text is an empty body', () => {
  expect(readText(CAUSE_BODIES.cancelTransfer, '')).toEqual({});
});

test('an omitted default equals the same value written out, in the text and in the row', () => {
  const schema = z.strictObject({ message: z.string(), format: z.enum(['Simple', 'Full']).default('Simple') });
  const signed = readText(schema, '{"message":"a"}');
  expect(isSameRequest(schema, signed, { format: 'Simple', message: 'a' })).toBe(true);
  expect(isSameRequest(schema, signed, { message: 'a' })).toBe(true);
  expect(isSameRequest(schema, signed, { message: 'a', format: 'Full' })).toBe(false);
  expect(isSameRequest(schema, signed, { message: 'a', more: 1 })).toBe(false);
});
