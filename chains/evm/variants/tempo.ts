import { absent } from '../../../domain/slots';
import { asHex } from '../call';
import { quantityIn } from '../request-members';
import type { EvmNetworkOf } from '../types';
import { assertPlain, ethereumSlots } from './ethereum';
import { feeTokenBalance } from './fee-balances';
import { TEMPO_TYPE } from './own-types';
import type { EvmVariantSlots, OwnType } from './slots';
import { keyedCountOf } from './tempo-lanes';
import { attachTempo, membersOfTempo, serializeTempo } from './tempo-transaction';

/** The next higher nonce key is for transactions that expire soon and are identified only by their hash (TIP-1009). */
const NONCE_KEY_MAX = 2n ** 256n - 2n;

const ownType = ({ chainId, feeToken: { contract: feeToken } }: EvmNetworkOf<'tempo'>): OwnType => ({
  ...TEMPO_TYPE,
  takesAccessList: false,
  ownMember: (fault, { nonceKey = 0 }) => ({ nonceKey: quantityIn(fault, 'nonceKey', nonceKey, NONCE_KEY_MAX).toString() }),
  serialize: ({ to, valueUnits, dataHex, nonceKey = '0' }, nonce, fees) => {
    const call = { to: asHex(to), value: BigInt(valueUnits), data: asHex(dataHex) };
    return serializeTempo({ chainId, nonce, fees, call, feeToken, nonceKey: BigInt(nonceKey) });
  },
  membersOf: (bytes) => {
    const { nonceKey, ...members } = membersOfTempo(bytes);
    return { ...members, nonceKey: nonceKey.toString() };
  },
  attach: attachTempo,
});

/** Tempo has no native coin: a token pays all fees. */
export const tempoSlots = (network: EvmNetworkOf<'tempo'>): EvmVariantSlots => {
  const { name, chainId, nativeAsset, feeToken, nonceKeys } = network;
  const { contract } = feeToken;
  const scale = 10n ** BigInt(nativeAsset.decimals - feeToken.decimals);
  const { serialize, fees } = ethereumSlots(network);
  return {
    serialize: {
      ...serialize,
      transfer: ({ nonce, call, fees: terms, form: { nonceKey = 0n, ...form } }) => {
        assertPlain(form);
        return serializeTempo({ chainId, nonce, call, fees: terms, feeToken: contract, nonceKey });
      },
      ownType: ownType(network),
      sponsored: absent(`${name} has no transactions that carry an authorization (EIP-7702)`),
    },
    fees: {
      ...fees,
      balance: async (ask, address) => (await feeTokenBalance(ask, name, contract, address)) * scale,
      coin: absent(`${name} has no native coin`),
      token: { contract, scale },
    },
    lanes: {
      keys: nonceKeys,
      countOf: (ask, address, nonceKey, block) => keyedCountOf(ask, name, address, nonceKey, block),
    },
  };
};
