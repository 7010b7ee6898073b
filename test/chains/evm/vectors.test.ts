import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { Transaction } from 'micro-eth-signer';
import { evmCodecOf } from '../../../chains/codecs';
import { evmDecoderOf } from '../../../chains/decoders';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import { NETWORKS_OF } from '../../../domain/networks';

const KEY = '01'.repeat(32);
const FROM = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';
const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const AMOUNT = 1_000_000_000_000_000n;
const FEES = { gas: 21_000n, maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
/** Its transactions are its own, which the other implementation does not have. */
const WITH_A_COIN = NETWORKS_OF.evm.filter((name) => !inFamily('evm', networkOf(name)).feeToken);

test.each(WITH_A_COIN)('%s: a signed transfer is that of an independent implementation, to the byte', (network) => {
  const { chainId, isLegacy } = inFamily('evm', networkOf(network));
  const shared = { chainId: BigInt(chainId), nonce: 7n, to: TO, value: AMOUNT, gasLimit: FEES.gas };
  const { gas: _, ...prices } = FEES;
  const other = isLegacy
    ? Transaction.prepare({ ...shared, type: 'legacy', gasPrice: FEES.maxFeePerGas })
    : Transaction.prepare({ ...shared, ...prices });
  const intent = { network, from: FROM, to: TO, amountUnits: AMOUNT, asset: { kind: 'Native' as const } };

  const unsigned = evmCodecOf(network).build(intent, 7, FEES);
  const digest = evmDecoderOf(network).digestOf(unsigned.bytesHex);
  const recovered = secp256k1.sign(digest, hexToBytes(KEY), { prehash: false, format: 'recovered' });
  const [recoveryId] = recovered;
  const hexOf = (from: number) => `0x${bytesToHex(recovered.slice(from, from + 32))}`;
  const signature = { r: hexOf(1), s: hexOf(33), recoveryId: recoveryId === 1 ? (1 as const) : (0 as const) };

  const theirs = other.signBy(hexToBytes(KEY), false);
  expect(evmCodecOf(network).attach(unsigned, signature, FROM)).toEqual({ rawHex: theirs.toHex(), txHash: theirs.hash });
});
