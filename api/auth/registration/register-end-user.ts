import { z } from 'zod';
import { WalletName, WalletNetwork } from '../../../application/bodies/key-members';
import { registerEndUser as register } from '../../../application/registration/end-user-registration';
import { temporaryOperation } from '../../http/operation';
import { Wallet } from '../../wallet-schemas';
import { NewCredentials } from '../schemas';
import { RegisteredEndUser } from './schemas';

/**
 * The maximum number of wallets in one request. The signer creates a key for each wallet, and a temporary token is enough to
 * request wallets. More wallets could keep the signer busy for long.
 */
const WALLETS_MAX = 20;

export const registerEndUser = temporaryOperation({
  id: 'registerEndUser',
  method: 'post',
  path: '/auth/registration/enduser',
  tag: 'auth',
  summary: 'Complete the registration of an end user and create wallets delegated to the user',
  description:
    'The bearer token is the `temporaryAuthenticationToken` of the challenge; the call returns `Unauthorized` (401) if the ' +
    'token is used, and `Forbidden` (403) if the user is not an end user. Registers the user, opens a session, and starts the ' +
    'workflow `createWallet` for each wallet; the response follows once all keys are stored safely. Emits `key.created` and ' +
    '`wallet.created` for each wallet. The call returns `NetworkNotEnabled` (400) for a mainnet or a network that is not ' +
    'enabled, and `AttestationInvalid` (400) for an invalid credential; in both cases nothing is written. If a key takes ' +
    'longer than 20 seconds, the call returns `NotReady` (503): the user is registered, the wallets appear later, and the call ' +
    'cannot be repeated.',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    ...NewCredentials.shape,
    wallets: z
      .array(z.strictObject({ network: WalletNetwork, name: WalletName.optional() }))
      .min(1)
      .max(WALLETS_MAX)
      .describe('The wallets to create, each with a new key'),
  }),
  response: RegisteredEndUser.extend({ wallets: z.array(Wallet) }),
  handle: ({ body: { wallets, ...credentials }, ceremony }, services) => register(services, ceremony, credentials, wallets),
});
