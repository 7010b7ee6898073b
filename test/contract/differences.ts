import { OPEN_KINDS } from './open-kinds';
import { POLICY_DIFFERENCES } from './policy-differences';

type Difference = {
  readonly operations: string;
  readonly lines: readonly string[];
  readonly reason: string;
};

const KEY_SIGNATURES = 'keysGenerateSignature keysGetSignature keysListSignatures';
const WALLET_SIGNATURES = 'walletsGenerateSignature walletsGetSignature walletsListSignatures';

const REQUESTS =
  'abortTransaction abortTransfer broadcastTransaction cancelTransaction cancelTransfer getTransaction getTransfer';
const MORE_REQUESTS = 'speedUpTransaction speedUpTransfer transferAsset';

export const LATER_NETWORKS = [
  ...['BesuTestnet2', 'BesuTestnet3', 'BesuTestnet4', 'BrokerChain', 'BrokerChainSepolia', 'IconTestnet'],
  ...['Movement', 'MovementTestnet', 'Rayls', 'RaylsTestnet'],
];

const LATER_EVENTS = [
  'address_watch.blockchain_event.misc.confirmed',
  'address_watch.blockchain_event.misc.reversed',
  'address_watch.blockchain_event.transfer.confirmed',
  'address_watch.blockchain_event.transfer.reversed',
  'charter.amended',
  'charter.amendment.refused',
  'fleet.group.approved',
  'fleet.group.canceled',
  'fleet.group.created',
  'fleet.group.due',
  'fleet.group.rejected',
  'fleet.group.submitted',
  'freeze.created',
  'freeze.released',
  'keyStore.changed',
  'policy.activity.resolved',
  'policy.approval.unreachable',
  'swap.completed',
  'swap.failed',
  'vault.created',
  'vault.event.created',
  'vault.tags.modified',
  'vault.updated',
  'wallet.blockchain_event.transfer.included',
  'wallet.blockchain_event.transfer.reversed',
  'wallet.signature.confirmed',
  'wallet.signature.reversed',
  'wallet.transaction.reversed',
  'wallet.transfer.reversed',
  'webhook.event.retry.triggered',
].join('|');

/** Members of a transaction. The published client does not describe these members. */
export const TRANSACTION_MEMBERS = [
  ...['accessList', 'authorizationList', 'chainId', 'data', 'feeCurrency', 'from', 'gasLimit', 'gasPrice'],
  ...['maxFeePerGas', 'maxPriorityFeePerGas', 'nonce', 'nonceKey', 'to', 'type', 'value'],
];

const MOVEMENTS_READ = [
  ...['Erc20Transfer', 'Erc721Transfer', 'Erc7984Transfer', 'NativeTransfer', 'SplTransfer', 'Spl2022Transfer'],
  'UtxoTransfer',
];
const MOVEMENTS_NOT_READ = [
  ...['Aip21', 'Asa', 'Asset', 'Cip56', 'Cis2', 'Cis7', 'Coin', 'Hip17', 'Hts', 'Iou', 'LockedCoin', 'Sep41', 'Snip2', 'Snip3'],
  ...['Tep74', 'Trc10', 'Trc20', 'Trc721', 'Xls33'],
];

/** The intended differences between our interface and the published client's. A line without a real difference is a fault. */
export const DIFFERENCES: readonly Difference[] = [
  ...POLICY_DIFFERENCES,
  ...OPEN_KINDS,
  {
    operations: 'getPermission listAssignments listPermissions',
    lines: ['answer.pendingChangeRequest.requester.appId is missing'],
    reason: 'There are no applications: the requester is a token',
  },
  {
    operations: 'createApprovalDecision getApproval listApprovals',
    lines: ['answer.policyEvaluations[].context.screening is ours'],
    reason: 'The published client leaves the format of a screening result open',
  },
  {
    operations: 'activateUser archiveUser createUser deactivateUser getUser listUsers updateUser',
    lines: ['answer.kind adds TenantUser', 'answer.tenantId is ours'],
    reason: 'A person may be a member of several organisations of one tenant, according to later sources',
  },
  {
    operations:
      'createCloneInput createGenesisInput createOnchainSignInput createProofOfControlInput submitCloneOutput submitGenesisOutput ' +
      'submitOnchainSignOutput submitProofOfControlOutput',
    lines: ['callers add CustomerEmployee'],
    reason: 'The published client does not state the callers of these operations',
  },
  {
    operations: 'createCloneInput createGenesisInput',
    lines: ['body.abandons is ours'],
    reason: 'A device can leave a manifest that the service has never seen, if the output of the device was lost',
  },
  {
    operations: 'createGenesisInput',
    lines: [
      ...['numEd25519', 'numProvisioners', 'numSecp256k1'].map((member) => `body.${member} is integer, not number`),
      'body.threshold is ours',
    ],
    reason: 'The members are whole numbers, and an organisation can choose how many provisioners recover the master secret',
  },
  {
    operations:
      'createApprovalDecision createCloneInput createGenesisInput createOnchainSignInput createProofOfControlInput ' +
      'submitCloneOutput submitGenesisOutput submitOnchainSignOutput submitProofOfControlOutput',
    lines: ['callers add ServiceAccount'],
    reason:
      'A group may allow service accounts to approve, and a program may carry the files of a device to and from the service',
  },
  {
    operations: 'createUser',
    lines: ['body.kind refuses SvcStaff'],
    reason: "A self-hosted service has no users from a vendor's staff",
  },
  {
    operations: 'createUserActionSignature login',
    lines: [
      'body.firstFactor<Key>.credentialAssertion.algorithm refuses any value',
      'body.firstFactor<PasswordProtectedKey>.credentialAssertion.algorithm refuses any value',
      'body.secondFactor<Key>.credentialAssertion.algorithm refuses any value',
      'body.secondFactor<PasswordProtectedKey>.credentialAssertion.algorithm refuses any value',
    ],
    reason: 'The digest algorithm of a raw-key signature has one of three names, or follows from the key',
  },
  {
    operations: 'createUserActionChallenge',
    lines: ['body.userActionServerKind refuses Staff'],
    reason: "A self-hosted service has no callers from a vendor's staff",
  },
  {
    operations: 'createUserActionChallenge',
    lines: ['answer.commitment is ours', 'answer.seen is ours'],
    reason: 'The person who signs can recompute the challenge, and learns whether the signing program must show the action',
  },
  {
    operations: 'activateUser archiveUser createUser deactivateUser getUser listUsers updateUser',
    lines: ['answer.permissions is missing'],
    reason: 'The member permissionAssignments lists the rights',
  },
  {
    operations: 'createWebhook getWebhook listWebhooks updateWebhook',
    lines: [`answer.events[] adds ${LATER_EVENTS}`],
    reason: 'A webhook may subscribe to the later kinds of event and to our own kinds',
  },
  {
    operations: 'getWebhookEvent listWebhookEvents',
    lines: [`answer.kind adds ${LATER_EVENTS}`],
    reason: 'A webhook may subscribe to the later kinds of event and to our own kinds, so its events have these kinds',
  },
  {
    operations: 'getWebhookEvent listWebhookEvents',
    lines: [
      'answer.deliveryAttempt is ours',
      'answer.deliveryFailed is ours',
      'answer.nextAttemptDate is ours',
      'answer.retryOf is ours',
    ],
    reason: 'The specification and the published text demand that retries are reported',
  },
  {
    operations: 'listWallets',
    lines: [
      ...['assetSymbol', 'externalId', 'holdsTokens', 'metadata', 'network', 'status', 'tags'].map(
        (name) => `query.${name} is ours`,
      ),
    ],
    reason: 'Filters of the specification',
  },
  {
    operations: 'createKey createWallet',
    lines: ['body.groupSize is ours', 'body.groupThreshold is ours'],
    reason: 'Members of an older interface that the specification calls deprecated: accepted and documented as without effect',
  },
  {
    operations: 'listKeyStores',
    lines: ['answer.kind adds Software', 'answer.reviewers is ours'],
    reason: 'A sealed key in one process is no hardware module and no threshold scheme; ceremonies may need several reviewers',
  },
  {
    operations: 'getKey',
    lines: ['answer.store.kind adds Software'],
    reason: 'The key store with which every organisation begins',
  },
  {
    operations: 'exportKey exportWallet',
    lines: ['answer.protocol adds Software', 'answer.scheme is ours', 'answer.suite is ours'],
    reason: 'The export is a whole key: these members give its scheme and its encryption, which are not published elsewhere',
  },
  {
    operations: 'importKey importWallet',
    lines: ['body.scheme is ours'],
    reason: 'The published protocols imply the scheme; a whole key on secp256k1 can have one of three schemes',
  },
  {
    operations: 'createWallet importWallet updateWallet',
    lines: ['body.metadata is ours'],
    reason: 'The specification filters wallets by metadata, but has no operation that sets the metadata',
  },
  {
    operations: 'createWallet getWallet importWallet listWallets updateWallet',
    lines: ['answer.metadata is ours', 'answer.validatorId is missing'],
    reason: 'This service has no ledger validators',
  },
  {
    operations: 'registerEndUser',
    lines: ['answer.wallets[].metadata is ours', 'answer.wallets[].validatorId is missing'],
    reason: 'This service has no ledger validators',
  },
  {
    operations: `${KEY_SIGNATURES} ${WALLET_SIGNATURES}`,
    lines: [
      'answer.details.cancelledBy is ours',
      'answer.details.feeCeiling is ours',
      'answer.details.lapsesAt is ours',
      'answer.details.transaction is ours',
    ],
    reason:
      'Nodes accept a fully signed PSBT only as a transaction; a signature that is never sent can be cancelled; ' +
      'a fee that the service fills in has a ceiling, and a nonce that it fills in expires',
  },
  {
    operations: 'keysGenerateSignature walletsGenerateSignature',
    lines: ['body<Eip7702>.chainId is integer, not number', 'body<Eip7702>.nonce is integer, not number'],
    reason: 'Both members are whole numbers',
  },
  {
    operations: 'keysGenerateSignature',
    lines: ['chainId', 'nonce'].map(
      (member) => `body<SvcSmartAccountTransaction>.structured.authorization.${member} is integer, not number`,
    ),
    reason: 'Both members are whole numbers',
  },
  {
    operations: 'broadcastTransaction keysGenerateSignature walletsGenerateSignature',
    lines: TRANSACTION_MEMBERS.map((member) => `body<Transaction>.transaction.${member} is ours`),
    reason: 'The schema lists every member, because a transaction is checked member by member before signing',
  },
  {
    operations: 'callFunction',
    lines: ['body.abi.stateMutability refuses any value', 'body.abi.type refuses any value'],
    reason: "The ABI's specification gives a closed list of values for both members",
  },
  {
    operations: 'callFunction',
    lines: ['body.abi.inputs[].internalType is ours', 'body.abi.outputs[].internalType is ours'],
    reason: 'Compilers write this member, so that a caller can send their output unchanged',
  },
  {
    operations: 'broadcastTransaction',
    lines: ['body<CreateSolanaNonceAccounts>.count is integer, not number'],
    reason: 'The number of accounts is a whole number',
  },
  {
    operations: 'transferAsset',
    lines: ['body<Spl>.priority is ours', 'body<Spl2022>.priority is ours'],
    reason: 'The priority sets the price of a compute unit, as it sets the fee on every other network',
  },
  {
    operations: 'broadcastTransaction',
    lines: ['abi', 'calldata', 'contract', 'value'].map((member) => `body<FunctionCall>.call.${member} is ours`),
    reason: 'The schema lists every member, because a call is checked member by member before signing',
  },
  {
    operations: `getWalletAssets ${KEY_SIGNATURES} walletsGetSignature walletsListSignatures`,
    lines: [`answer.network adds ${[...LATER_NETWORKS, 'KeyECDSA', 'KeyECDSAStark', 'KeyEdDSA'].sort().join('|')}`],
    reason: 'The networks of wallets also include the networks that only sign and those of later documentation',
  },
  {
    operations: [
      ...[
        'abortTransaction',
        'abortTransfer',
        'activateFeeSponsor',
        'broadcastTransaction',
        'cancelTransaction',
        'cancelTransfer',
      ],
      ...['createFeeSponsor', 'deactivateFeeSponsor', 'deleteFeeSponsor', 'getFeeSponsor', 'getTransaction', 'getTransfer'],
      ...['getWalletHistory', 'getWalletNfts', 'listFeeSponsors', 'listTransactions', 'listTransfers', 'speedUpTransaction'],
      ...['speedUpTransfer', 'transferAsset'],
    ].join(' '),
    lines: ['answer.network adds Rayls|RaylsTestnet'],
    reason: 'Networks of later documentation, which are served',
  },
  {
    operations: 'createWallet getWallet importWallet listWallets updateWallet walletsGenerateSignature',
    lines: [`answer.network adds ${LATER_NETWORKS.join('|')}`],
    reason: 'Networks of later documentation, which are known and not served yet',
  },
  {
    operations: 'getKey registerEndUser',
    lines: [`answer.wallets[].network adds ${LATER_NETWORKS.join('|')}`],
    reason: 'Networks of later documentation, which are known and not served yet',
  },
  {
    operations: 'getWalletHistory',
    lines: [
      ...MOVEMENTS_READ.map((kind) => `answer<${kind}>.network adds Rayls|RaylsTestnet`),
      ...['balanceId', 'liquidityPool', 'memo'].map((member) => `answer<NativeTransfer>.${member} is missing`),
      ...MOVEMENTS_NOT_READ.map((kind) => `answer<${kind}Transfer> is missing`),
    ],
    reason: 'The other kinds and members belong to families whose blocks are not read yet',
  },
  {
    operations: 'getWalletHistory',
    lines: ['Spl2022', 'Spl', 'Utxo'].map((kind) => `answer<${kind}Transfer>.status is ours`),
    reason: 'Every movement has a status, which the published client describes only for other kinds',
  },
  {
    operations: 'getWalletNfts',
    lines: [
      ...['Asa', 'Erc721', 'Hip17', 'Snip3', 'Trc721'].map((kind) => `answer.nfts[]<${kind}> is missing`),
      ...['contract', 'kind', 'symbol', 'tokenId'].map((member) => `answer.nfts[].${member} is ours`),
    ],
    reason: 'Only one kind is read, so the items are not a union. A stranger chooses the picture, so `tokenUri` is left out',
  },
  {
    operations: 'getFees',
    lines: ['answer<Eip1559>.network adds Rayls|RaylsTestnet|SeiAtlantic2|SeiPacific1'],
    reason: 'Networks of later documentation, and EVM networks that the published list omits',
  },
  {
    operations: 'getFees',
    lines: ['answer<Bitcoin>.network adds BitcoinCash|BitcoinCashTestnet'],
    reason: 'The estimate is the same on every network of the family',
  },
  {
    operations: `${REQUESTS} listTransactions listTransfers ${MORE_REQUESTS}`,
    lines: [
      'answer.details.amountMoved is ours',
      'answer.details.cancelsSignature is ours',
      'answer.details.encryptedAmount is ours',
      'answer.details.equalTo is ours',
      'answer.details.feeCurrency is ours',
      'answer.details.madeByService is ours',
      'answer.details.paidForBy is ours',
      'answer.details.paysFor is ours',
      'answer.details.stage is ours',
      'answer.details.until is ours',
      'answer.details.withheldUnits is ours',
    ],
    reason:
      'The details contain the stage of an Executing request, an equal request, a request by the service itself, a paying child, ' +
      'the units that a token withholds, a hidden amount, and a fee in another currency',
  },
  {
    operations: 'transferAsset',
    lines: ['body<Native>.expiresAt is missing', 'body<Native>.offer is missing'],
    reason: 'Members of other families and later parts: the service refuses a member that it would ignore',
  },
  {
    operations:
      'activateServiceAccount archiveServiceAccount createServiceAccount deactivateServiceAccount getServiceAccount listServiceAccounts updateServiceAccount',
    lines: ['answer.userInfo.credentialId is ours', 'answer.userInfo.tenantId is ours', 'answer.userInfo.kind adds TenantUser'],
    reason: 'The answer contains the full record of the specification',
  },
  {
    operations:
      'createDelegatedRecoveryChallenge createDelegatedRegistrationChallenge createRecoveryChallenge createRegistrationChallenge createSocialRegistrationChallenge',
    lines: ['answer.authenticatorSelection.authenticatorAttachment is missing'],
    reason: 'Both a passkey of the device and a security key are accepted',
  },
  {
    operations: 'recover',
    lines: ['body.recovery.credentialAssertion.algorithm refuses any value'],
    reason: 'The digest algorithm of a raw-key signature has one of three names, or follows from the key',
  },
  {
    operations: 'recover',
    lines: ['answer.recovery is ours'],
    reason: 'An organisation may delay recoveries; the answer shows the recovering person the delay',
  },
];
