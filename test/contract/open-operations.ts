import { type FactOperation, facts } from './facts';

/** Operations of the published client that this release lacks. The key names the feature that has to be built first. */
export const OPEN_OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  agreements: ['getLatestUnacceptedAgreement', 'recordAgreementAcceptance'],
  'allocations of assets to others who put them to work': [
    ...['createAllocation', 'createAllocationAction', 'getAllocation', 'listAllocationActions', 'listAllocations'],
  ],
  'accounts at exchanges': [
    ...['createExchange', 'deleteExchange', 'getExchange', 'listExchanges'],
    ...['createDeposit', 'createWithdrawal', 'listAccountAssets', 'listAccounts', 'listAssetWithdrawalNetworks'],
  ],
  'offline signers, and files that travel to them and back': [
    ...['createCloneInput', 'createGenesisInput', 'createOnchainSignInput', 'createProofOfControlInput'],
    ...['submitCloneOutput', 'submitGenesisOutput', 'submitOnchainSignOutput', 'submitProofOfControlOutput'],
  ],
  'Canton, whose validators are records of their own, and whose assets are offered before they arrive': [
    ...['cantonLedgerApiProxy', 'createCantonValidator', 'deleteCantonValidator', 'getCantonValidator', 'listCantonValidators'],
    ...['updateCantonValidator', 'acceptOffer', 'getOffer', 'listOffers', 'rejectOffer'],
  ],
  payouts: ['createPayout', 'createPayoutAction', 'createPayoutQuote', 'getPayout', 'listPayouts'],
  staking: ['createStake', 'createStakeAction', 'getStakeRewards', 'getStakes', 'listStakeActions', 'listStakes'],
  swaps: ['createSwap', 'createSwapQuote', 'getSwap', 'getSwapQuote', 'listSwaps'],
  'the history and the collectibles of a wallet, which need an indexer': [
    'getWalletHistory',
    'getWalletNfts',
    'listOrgWalletHistory',
  ],
  'networks where an account has to be opened on chain': ['activateWallet'],
};

const open: ReadonlySet<string> = new Set(Object.values(OPEN_OPERATIONS).flat());

/** The operations that this release must serve exactly as the published facts describe. */
export const promised: readonly FactOperation[] = facts.operations.filter(({ id }) => !open.has(id));
