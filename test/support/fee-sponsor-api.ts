import { startWalletApi, type WalletApi } from './wallet-api';

export type FeeSponsorBody = { readonly id: string; readonly walletId: string; readonly status: string };
export type FeeSponsorApi = WalletApi & {
  /** Creates a sponsor on a new wallet. */
  readonly sponsor: (body?: object) => Promise<FeeSponsorBody>;
};

export async function startFeeSponsorApi(): Promise<FeeSponsorApi> {
  const wallets = await startWalletApi();
  return {
    ...wallets,
    sponsor: async (body = {}) => {
      const { id: walletId } = await wallets.createWallet();
      const answer = await wallets.admin.client.change('POST', '/fee-sponsors', { walletId, ...body });
      if (answer.status !== 200) throw new Error(`createFeeSponsor returned ${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
  };
}
