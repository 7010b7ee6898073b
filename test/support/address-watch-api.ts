import { randomBytes } from 'node:crypto';
import { getAddress } from 'viem';
import type { MovementEntity } from '../../entities/movements/movement.entity';
import { startWalletApi, type WalletApi } from './wallet-api';

export type AddressWatchBody = { readonly id: string; readonly address: string } & Readonly<Record<string, unknown>>;

export type AddressWatchApi = WalletApi & {
  /** Watches an address on EthereumSepolia, by default a new one. */
  readonly watch: (body?: object) => Promise<AddressWatchBody>;
};

export const someAddress = (): string => getAddress(`0x${randomBytes(20).toString('hex')}`);

export async function startAddressWatchApi(): Promise<AddressWatchApi> {
  const wallets = await startWalletApi();
  return {
    ...wallets,
    watch: async (body = {}) => {
      const wanted = { network: 'EthereumSepolia', address: someAddress(), ...body };
      const answer = await wallets.admin.client.change('POST', '/address-watches', wanted);
      if (answer.status !== 200) throw new Error(`createAddressWatch returned ${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
  };
}

/** A transfer of a token that the network's record lacks. */
export const TOKEN = '0x8464135c8F25Da09e49BC8782676a84730C318bC';
export const tokenPayment = (subjectId: string, set: Partial<MovementEntity> = {}) => ({
  ...{ subjectId, kind: 'Erc20Transfer' as const, contract: TOKEN, amountUnits: '9', symbol: 'TOK', decimals: 2 },
  ...{ ordinal: 'log:3', logIndex: '41', isVerified: false },
  ...set,
});
