import { invariant } from '../../../domain/errors';
import type { EvmCall } from '../../../domain/transactions';
import { Quantity, type Rpc, SmallQuantity } from '../../rpc/rpc';
import { asHex } from '../call';
import { highest, type Markets, PRICE_PERCENT } from '../markets';
import { addressIn, type MemberFault } from '../request-members';
import type { EvmNetworkOf, FeeCurrency, TransactionInput } from '../types';
import { attachCelo, membersOfCelo, serializeCelo } from './celo-transaction';
import { assertPlain, ethereumSlots } from './ethereum';
import { feeTokenBalance } from './fee-balances';
import { CELO_TYPE } from './own-types';
import type { EvmVariantSlots, OwnType } from './slots';

/**
 * Prices in units of the fee currency. The gas price that a node returns includes the tip
 * (https://docs.celo.org/developer/fee-currency).
 */
async function readMarketsIn(rpc: Rpc, feeCurrency: string): Promise<Markets> {
  const [price, tip, blockNumber] = await Promise.all([
    rpc('eth_gasPrice', [feeCurrency], Quantity),
    rpc('eth_maxPriorityFeePerGas', [feeCurrency], Quantity),
    rpc('eth_blockNumber', [], SmallQuantity),
  ]);
  const baseFee = highest(price - tip, 0n);
  return { blockNumber, at: (priority) => ({ baseFee, tip: (tip * PRICE_PERCENT[priority]) / 100n }) };
}

function currencyIn(
  fault: MemberFault,
  { feeCurrency }: TransactionInput,
  listed: readonly FeeCurrency[],
): Pick<EvmCall, 'feeCurrency'> {
  if (feeCurrency === undefined)
    throw fault(
      'feeCurrency',
      `is required for type ${CELO_TYPE.type}: a transaction that pays its fee in the native coin has type 2`,
    );
  const contract = addressIn(fault, 'feeCurrency', feeCurrency);
  if (listed.some((one) => one.contract === contract)) return { feeCurrency: contract };
  throw fault('feeCurrency', `must be one of ${listed.map((one) => `${one.contract} (${one.symbol})`).join(', ')}`);
}

const ownType = ({ chainId, feeCurrencies }: EvmNetworkOf<'celo'>): OwnType => ({
  ...CELO_TYPE,
  takesAccessList: true,
  ownMember: (fault, input) => currencyIn(fault, input, feeCurrencies),
  serialize: ({ feeCurrency, accessList, to, valueUnits, dataHex }, nonce, fees) => {
    invariant(feeCurrency !== undefined, 'a transaction of this type names its fee currency');
    const call = { to: asHex(to), value: BigInt(valueUnits), data: asHex(dataHex) };
    return serializeCelo({ chainId, nonce, fees, call, feeCurrency, accessList });
  },
  membersOf: membersOfCelo,
  attach: attachCelo,
});

/** Celo works as Ethereum does, but a transaction may choose the currency of its fee. */
export const celoSlots = (network: EvmNetworkOf<'celo'>): EvmVariantSlots => {
  const { name, chainId, feeCurrency: chosen } = network;
  const { serialize, fees, lanes } = ethereumSlots(network);
  return {
    serialize: {
      ...serialize,
      transfer: (members) => {
        const { feeCurrency, ...form } = members.form;
        if (feeCurrency === undefined) return serialize.transfer(members);
        assertPlain(form);
        return serializeCelo({ chainId, nonce: members.nonce, call: members.call, fees: members.fees, feeCurrency });
      },
      ownType: ownType(network),
    },
    fees: {
      ...fees,
      currencies: {
        chosen,
        market: readMarketsIn,
        // Fees are in 10^-18 of a currency, and the listed currencies have 18 decimals.
        balance: (ask, address, feeCurrency) => feeTokenBalance(ask, name, feeCurrency, address),
      },
    },
    lanes,
  };
};
