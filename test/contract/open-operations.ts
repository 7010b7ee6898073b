import { type FactOperation, facts } from './facts';

/** Operations of the published client that this release lacks. Each key is the feature that has to be built first. */
export const OPEN_OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  agreements: ['getLatestUnacceptedAgreement', 'recordAgreementAcceptance'],
  'allocations of assets to third parties that manage them': [
    ...['createAllocation', 'createAllocationAction', 'getAllocation', 'listAllocationActions', 'listAllocations'],
  ],
  'accounts at exchanges': [
    ...['createExchange', 'deleteExchange', 'getExchange', 'listExchanges'],
    ...['createDeposit', 'createWithdrawal', 'listAccountAssets', 'listAccounts', 'listAssetWithdrawalNetworks'],
  ],
  'Canton, with records of its validators and offers of assets before they arrive': [
    ...['cantonLedgerApiProxy', 'createCantonValidator', 'deleteCantonValidator', 'getCantonValidator', 'listCantonValidators'],
    ...['updateCantonValidator', 'acceptOffer', 'getOffer', 'listOffers', 'rejectOffer'],
  ],
  payouts: ['createPayout', 'createPayoutAction', 'createPayoutQuote', 'getPayout', 'listPayouts'],
  staking: ['createStake', 'createStakeAction', 'getStakeRewards', 'getStakes', 'listStakeActions', 'listStakes'],
  swaps: ['createSwap', 'createSwapQuote', 'getSwap', 'getSwapQuote', 'listSwaps'],
  'networks that need a transaction to open an account': ['activateWallet'],
};

const open: ReadonlySet<string> = new Set(Object.values(OPEN_OPERATIONS).flat());

/** The operations that this release must serve exactly as the published facts describe. */
export const promised: readonly FactOperation[] = facts.operations.filter(({ id }) => !open.has(id));
