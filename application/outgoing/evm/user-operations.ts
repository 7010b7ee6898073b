import { evmCodecOf } from '../../../chains/codecs';
import type { UserCallInput } from '../../../chains/evm/types';
import type { Effect } from '../../../chains/types';
import { AMOUNT_UNITS_MAX } from '../../../domain/amounts';
import { contractOf } from '../../../domain/transfers';
import { badField } from '../../request-faults';
import type { Services } from '../../services';
import type { AssetInfo } from '../../wallets/asset-info';
import { assetColumns, assetIfAny, assetOf } from '../../wallets/assets';
import type { UsableWallet } from '../../wallets/wallets';
import type { ReadTransaction } from '../family-forms';
import { combinedEffect, knownEffects } from './combined-effect';
import { assertFunds } from './funds';

/** Calls of a wallet that one transaction executes. A fee sponsor pays the fee. */
export type UserOperationsRequest = {
  readonly kind: 'UserOperations';
  readonly userOperations: readonly UserCallInput[];
  readonly feeSponsorId: string;
  readonly externalId?: string | undefined;
};

/** Throws `InvalidRequest` with the path of the fault, and `TransferWouldFail` if the wallet holds too little. */
export const readUserOperations: ReadTransaction<UserOperationsRequest> = async (services, wallet, { userOperations }) => {
  const codec = evmCodecOf(wallet.network);
  const call = codec.userCallsOf(userOperations, wallet.address, 'body.userOperations');
  const read = call.map((one) => codec.effectOf({ type: 2, accessList: [], authorizationList: [], ...one }));
  const infos = await tokensIn(services, wallet, read);
  const tokens = [...infos.keys()];
  const effects = knownEffects(read, tokens);
  const { asset, recipient, amountUnits } = combinedEffect(effects);
  if (amountUnits > AMOUNT_UNITS_MAX) throw badField('userOperations', 'must not move more than 2^256 - 1 units');
  await assertHeld(services, wallet, effects, tokens);
  const contract = asset.kind === 'Call' ? null : contractOf(asset);
  const info = asset.kind === 'Native' ? await assetOf(services, wallet.network, asset) : infos.get(contract ?? '');
  return {
    terms: { family: 'evm-operation', call, tokens },
    assetKind: asset.kind,
    contract,
    toAddress: recipient,
    amountUnits: amountUnits.toString(),
    priority: 'Standard',
    ...assetColumns(info),
  };
};

async function tokensIn(
  services: Services,
  { network }: UsableWallet,
  effects: readonly Effect[],
): Promise<ReadonlyMap<string, AssetInfo>> {
  const known = new Map<string, AssetInfo>();
  for (const { asset } of effects) {
    if (asset.kind !== 'Erc20' || known.has(asset.contract)) continue;
    const info = await assetIfAny(services, network, asset);
    if (info) known.set(asset.contract, info);
  }
  return known;
}

/**
 * Throws `TransferWouldFail` if the wallet holds too little for all calls together. Tokens are not checked if a call has an
 * unknown effect, because later calls may spend the tokens that this call brings in.
 */
async function assertHeld(services: Services, wallet: UsableWallet, effects: readonly Effect[], tokens: readonly string[]) {
  const at = 'body.userOperations';
  const unitsOf = (contract: string | null) =>
    effects.reduce((sum, { asset, amountUnits }) => {
      const moved = asset.kind === 'Call' ? null : contractOf(asset);
      return moved === contract ? sum + amountUnits : sum;
    }, 0n);
  await assertFunds(services, wallet, { nativeUnits: unitsOf(null), at });
  if (effects.some(({ asset }) => asset.kind === 'Call')) return;
  for (const contract of tokens)
    await assertFunds(services, wallet, { nativeUnits: 0n, token: { contract, units: unitsOf(contract) }, at });
}
