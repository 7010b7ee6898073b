import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { RawTx, Transaction, WIF } from '@scure/btc-signer';
import { Script } from '@scure/btc-signer/script.js';
import { utxoCodecOf } from '../../../chains/codecs';
import { utxoDecoderOf } from '../../../chains/decoders';
import { taprootDigest } from '../../../chains/utxo/decoder-digests';
import { transactionsOfMessage } from '../../../chains/utxo/decoder-message';
import { decodeUtxoTransaction, idOf } from '../../../chains/utxo/decoder-transaction';
import bip143 from './vectors/bip143.json';
import bip174 from './vectors/bip174.json';
import bip322 from './vectors/bip322.json';
import bip341 from './vectors/bip341.json';

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
const codec = utxoCodecOf('Bitcoin');
const decoder = utxoDecoderOf('Bitcoin');
const KEY = '025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee6357';

describe('BIP174', () => {
  test.each(bip174.invalid)('%s: neither decoder nor codec reads the PSBT', (_case, hex) => {
    expect(decoder.decode(hex as string).opaque).toEqual(['bytes']);
    expect(() => codec.readPsbt(hex as string, KEY, 'body.psbt')).toThrow(/body\.psbt/);
  });
  test.each(bip174.refused)('%s: the PSBT is not signed', (_case, hex) => {
    const { opaque, inputs } = decoder.decode(hex as string);
    expect(opaque.length > 0 || inputs.some(({ isProved }) => !isProved)).toBe(true);
  });
  /** Leaves out valid PSBTs that cannot be judged, because they do not spend any coin or do not state which coins they spend. */
  const told = bip174.valid.filter(([name]) => !/unknown types|0 inputs|signed and finalized/.test(name as string));
  test.each(told)('%s: the decoder reads the PSBT', (_case, hex) => {
    expect(decoder.decode(hex as string)).toMatchObject({ opaque: [], inputs: expect.any(Array) });
    expect(() => codec.readPsbt(hex as string, KEY, 'body.psbt')).toThrow(/locked only to this key|hash type/);
  });
  test.each(bip174.valid.filter(([name]) => /multisig/.test(name as string)))(
    '%s: no single key unlocks the coin, and no key gets a digest to sign',
    (_case, hex) => {
      const psbt = Transaction.fromPSBT(bytesOf(hex as string));
      const multisig = Script.decode(psbt.getInput(0).witnessScript ?? new Uint8Array());
      const keys = multisig.filter((part): part is Uint8Array => part instanceof Uint8Array && part.length === 33);
      expect(keys).toHaveLength(2);
      for (const key of keys.map((bytes) => Buffer.from(bytes).toString('hex'))) {
        expect(() => codec.readPsbt(hex as string, key, 'body.psbt')).toThrow('spends no coin that is locked only to this key');
        expect(decoder.digestsOf(hex as string, key)).toEqual([]);
      }
    },
  );
  test('all cases of BIP174 are tested', () => {
    expect([bip174.invalid.length, told.length, bip174.refused.length]).toEqual([20, 6, 4]);
  });
});

/** A PSBT that spends a coin under a script hash (BIP49), with the whole previous transaction. */
function nested(scripts: { readonly redeemScript?: Uint8Array; readonly witnessScript?: Uint8Array }): string {
  const lenient = { allowUnknownInputs: true, allowUnknownOutputs: true, disableScriptCheck: true } as const;
  const before = new Transaction(lenient);
  const script = bytesOf(codec.scriptOf(codec.addressOf(KEY, 'P2SH-P2WPKH')));
  before.addOutput({ script, amount: 9_000n });
  before.addInput({ txid: '22'.repeat(32), index: 0, finalScriptSig: new Uint8Array([1, 1]) });
  const tx = new Transaction({ ...lenient, version: 2, PSBTVersion: 0 });
  tx.addInput({ txid: before.id, index: 0, nonWitnessUtxo: before.toBytes(true, false) });
  tx.addOutput({ script, amount: 8_000n });
  tx.updateInput(0, scripts, true);
  return hexOf(tx.toPSBT(0));
}

describe('the scripts under a script hash', () => {
  const redeemScript = bytesOf(codec.scriptOf(codec.addressOf(KEY)));
  const other = bytesOf(codec.scriptOf('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'));
  test('may match the hash of the output, or be absent', () => {
    for (const psbt of [nested({ redeemScript }), nested({})]) {
      expect(decoder.decode(psbt)).toMatchObject({ opaque: [], feeUnits: 1_000n });
      expect(codec.readPsbt(psbt, KEY, 'body.psbt').feeUnits).toBe(1_000n);
    }
  });
  // The amount is proved in each case, so only the scripts are wrong.
  test.each([
    ['a different redeem script', { redeemScript: other }],
    ['a witness script although the redeem script is for a key', { redeemScript, witnessScript: new Uint8Array([0x51]) }],
  ])('%s: decoder and codec refuse the PSBT', (_case, scripts) => {
    const psbt = nested(scripts);
    expect(decoder.decode(psbt).opaque).toEqual(['bytes']);
    expect(() => decoder.digestsOf(psbt, KEY)).toThrow(/script does not belong to the output/);
    expect(() => codec.readPsbt(psbt, KEY, 'body.psbt')).toThrow(/body\.psbt/);
  });
});

/** A PSBT of a bare transaction, with the outputs that the transaction spends. */
function psbtOf(unsigned: string, spent: readonly (readonly string[])[]): string {
  const tx = Transaction.fromRaw(bytesOf(unsigned), { allowUnknownOutputs: true, disableScriptCheck: true });
  spent.forEach(([script = '', amount = '0'], index) => {
    tx.updateInput(index, { witnessUtxo: { script: bytesOf(script), amount: BigInt(amount) } }, true);
  });
  return hexOf(tx.toPSBT(0));
}

test.each(bip143.examples)('BIP143, $name: digest and signed transaction match', (example) => {
  const psbt = psbtOf(example.unsigned, example.spent);
  const [digest, ...more] = decoder.digestsOf(psbt, example.publicKey);
  expect([hexOf(digest?.digest ?? new Uint8Array()), digest?.index, more]).toEqual([`0x${example.sigHash}`, example.index, []]);
  const { r, s } = secp256k1.Signature.fromBytes(bytesOf(example.signature.slice(0, -2)), 'der');
  const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;
  const { psbtHex, signed } = codec.signPsbt(psbt, [{ r: word(r), s: word(s) }], example.publicKey);
  expect(psbtHex).toContain(example.signature);
  expect(signed?.rawHex).toBe('signed' in example ? example.signed : undefined);
});

describe('BIP341', () => {
  test('a key without a script tree has the published output', () => {
    const [key = '', script, address] = bip341.output;
    expect([codec.addressOf(key), decoder.addressOf(key), codec.scriptOf(codec.addressOf(key))]).toEqual([
      address,
      address,
      script,
    ]);
  });
  test.each(bip341.digests)('input %i with hash type %i: the digest of the key path matches', (index, hashType, digest) => {
    const spent = bip341.spent.map(([script = '', amount = '0']) => ({
      script: Buffer.from(script, 'hex'),
      amountUnits: BigInt(amount),
      isProved: true,
    }));
    const tx = decodeUtxoTransaction(Buffer.from(bip341.unsignedTx, 'hex'));
    expect(taprootDigest(tx, index as number, spent, hashType as number).toString('hex')).toBe(digest);
  });
});

const messageHexOf = (message: string) => `0x${Buffer.from(message, 'utf8').toString('hex')}`;

describe('BIP322', () => {
  test.each(bip322.hashes)('"$message": both ids match', ({ message, address, to_spend_tx_hash, to_sign_tx_hash }) => {
    const script = Buffer.from(codec.scriptOf(address), 'hex');
    const { toSpend, toSign } = transactionsOfMessage(script, Buffer.from(message, 'utf8'));
    expect([idOf(toSpend), idOf(toSign)]).toEqual([to_spend_tx_hash, to_sign_tx_hash]);
  });

  test.each(bip322.simple)(
    '"$message" at $address: the published signature is valid, and the codec writes it in the published form',
    (vector) => {
      const secret = WIF().decode(vector.secret);
      const isTaproot = vector.address.startsWith('bc1p');
      const publicKey = isTaproot ? schnorr.getPublicKey(secret) : secp256k1.getPublicKey(secret);
      const publicKeyHex = Buffer.from(publicKey).toString('hex');
      expect(codec.addressOf(publicKeyHex)).toBe(vector.address);
      const messageHex = messageHexOf(vector.message);
      const { digest } = decoder.messageDigestOf(messageHex, publicKeyHex);
      for (const given of vector.signatures) {
        const stack = Buffer.from(given.slice(3), 'base64');
        const first = stack.subarray(2, 2 + (stack[1] ?? 0));
        const compact = isTaproot ? first : secp256k1.Signature.fromBytes(first.subarray(0, -1), 'der').toBytes('compact');
        const signature = { r: hexOf(compact.subarray(0, 32)), s: hexOf(compact.subarray(32)) };
        expect(codec.proveMessage(messageHex, 'Simple', signature, publicKeyHex)).toBe(given);
        const full = codec.proveMessage(messageHex, 'Full', signature, publicKeyHex);
        expect(full.slice(0, 3)).toBe('ful');
        const { inputs, outputs, version, witnesses } = RawTx.decode(Buffer.from(full.slice(3), 'base64'));
        expect([version, inputs.length, outputs.length, witnesses?.[0]?.length]).toEqual([0, 1, 1, isTaproot ? 1 : 2]);
        expect(() => codec.proveMessage(`${messageHex}00`, 'Simple', signature, publicKeyHex)).toThrow(/does not belong/);
      }
      if (isTaproot) return;
      const own = secp256k1.sign(digest, secret, { prehash: false, lowS: true });
      const signature = { r: hexOf(own.subarray(0, 32)), s: hexOf(own.subarray(32)) };
      expect(vector.signatures).toContain(codec.proveMessage(messageHex, 'Simple', signature, publicKeyHex));
    },
  );
});
