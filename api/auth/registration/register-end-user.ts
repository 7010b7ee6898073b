import { z } from 'zod';
import { WalletName, WalletNetwork } from '../../../application/bodies/key-members';
import { registerEndUser as register } from '../../../application/registration/end-user-registration';
import { temporaryOperation } from '../../http/operation';
import { Wallet } from '../../wallet-schemas';
import { NewCredentials } from '../schemas';
import { RegisteredEndUser } from './schemas';

/** Bounded because the signer creates a key for each wallet, and a temporary token is enough to request them. */
const WALLETS_MAX = 20;

export const registerEndUser = temporaryOperation({
  id: 'registerEndUser',
  method: 'post',
  path: '/auth/registration/enduser',
  tag: 'auth',
  summary: "Complete an end user's registration and create wallets delegated to the user",
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    ...NewCredentials,
    wallets: z
      .array(z.strictObject({ network: WalletNetwork, name: WalletName.optional() }))
      .min(1)
      .max(WALLETS_MAX),
  }),
  response: RegisteredEndUser.extend({ wallets: z.array(Wallet) }),
  handle: ({ body: { wallets, ...credentials }, ceremony }, services) => register(services, ceremony, credentials, wallets),
});
