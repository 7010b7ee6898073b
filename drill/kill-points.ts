import type { Activities } from '../activities';
import type { ChaosNetwork } from './chaos/schedule';

/**
 * The scenario of a record. `drill/cases.ts` sends the requests of the scenario, and `drill/checks.ts` has the required end.
 */
export type Story = TransferStory | CharterStory | TenantStory | 'founded' | 'wallet';
export type TransferStory =
  | 'paid'
  | 'held'
  | 'denied'
  | 'expired'
  | 'unwelcome'
  | 'broken'
  | 'redelivered'
  | 'left'
  /** Like `paid`, with a replica that must have the signature too. */
  | 'copied'
  /** Like `held`, from a wallet of an offline store. A device signs the transfer. */
  | 'carried';
/** In the story `founded` a ceremony gives a new offline store its fleet, and a wallet gets the first key of the fleet. */
export const isVaultStory = (story: Story): story is 'carried' | 'founded' => story === 'carried' || story === 'founded';
/** A member leaves a charter, by an amendment or by a restriction. */
export type CharterStory = 'amended' | 'restricted';
/** A stranger pays a wallet. In `reorganised` another block replaces the block of the payment, which a later block then has again. */
export type ReceiptStory = 'received' | 'reorganised';
export const isReceiptStory = (story: Story): story is ReceiptStory => story === 'received' || story === 'reorganised';
/** In the story `numbered` a user signs actions, which the audit log then has. A record of these stories has its own organisation. */
type TenantStory = ReceiptStory | 'numbered';
export const isTenantStory = (story: Story): story is TenantStory => story === 'numbered' || isReceiptStory(story);
export const isCharterStory = (story: Story): story is CharterStory => story === 'amended' || story === 'restricted';

/**
 * An `early` record starts first, because the record needs a minute to reach its point. A `settled` record needs a running
 * follower, so it starts before the `follower` records. While a `follower` record is held at its point, the follower of a network
 * or of the charters waits. A `queued` record starts last, and is not held at its point.
 */
export type Launch = 'early' | 'settled' | 'follower' | 'normal' | 'queued';

/** What the callers of a record are doing. */
export type Phase = 'before' | 'order' | 'decide' | 'collect' | 'submit' | 'review' | 'reorganise';

/** `at` is the name under which the process reports the point, `<step>:<moment>`. */
export type Point = {
  readonly name: string;
  readonly at: string;
  readonly story: Story;
  /** `phase` distinguishes the order from what follows, because a process reports the same `at` for both. */
  readonly phase: Phase | 'any';
  readonly launch: Launch;
  /**
   * True if the drill can hold only one record at a time at this point, so the point needs a round of its own. Points of different
   * networks with the same `at` share this round.
   */
  readonly alone: boolean;
  readonly network: ChaosNetwork;
};

type More = Partial<Omit<Point, 'at' | 'story'>>;

const WORDS: Readonly<Record<string, string>> = {
  begun: 'begun',
  asked: 'about to ask',
  answered: 'answered',
  committing: 'before the commit',
  committed: 'committed',
  numbered: 'event has its place in the feed, no attempt written',
  written: 'attempt written, nothing sent',
  heard: 'receiver answered, row not marked',
  marked: 'row marked',
  done: 'done, Temporal not notified',
};

const at = (step: string, moments: string, story: Story, more: More = {}): readonly Point[] =>
  moments.split(' ').map((moment) => {
    const name = `${step}: ${WORDS[moment] ?? moment}`;
    const network = story === 'left' ? 'BitcoinSignet' : 'EthereumSepolia';
    return { name, at: `${step}:${moment}`, story, phase: 'any', launch: 'normal', alone: false, network, ...more };
  });

const named = (name: string, [point]: readonly Point[]): Point => {
  if (!point) throw new Error(`no point has the name ${name}`);
  return { ...point, name };
};

/** The commits of the scanner in their order, and the rows that each commit writes. */
const SCANNED = {
  noteLive: 'new addresses',
  beginBlocks: 'new blocks',
  recordMovements: 'movements',
  finishBlocks: 'blocks as read',
  confirmMovements: 'confirmations',
  noteConfirmed: 'last confirmed block',
} as const;
/** The commits by which the scanner takes back a block that left the chain. */
const LEFT = {
  leaveBlocks: 'blocks as replaced',
  withdrawMovements: 'withdrawn movements',
  removeBlocks: 'removal of replaced blocks',
} as const;

type ScanStep = keyof typeof SCANNED | keyof typeof LEFT;
const COMMIT = { committing: 'before the commit', committed: 'committed' } as const;

/** The scanner of a network can wait only at one of its points at a time. */
function scanPoints(network: ChaosNetwork, story: ReceiptStory, steps: Readonly<Partial<Record<ScanStep, string>>>) {
  return Object.entries(steps).flatMap(([step, rows]) =>
    Object.entries(COMMIT).map(([moment, when]) => {
      const phase = story === 'reorganised' ? 'reorganise' : 'any';
      return named(`scanner of ${network}: ${rows} ${when}`, at(step, moment, story, { network, alone: true, phase }));
    }),
  );
}

// A transfer of the service has the points of `recordMovements` on this network.
const { recordMovements: _outgoing, ...INCOMING } = SCANNED;
// The local Solana network replaces no block.
const SCAN_POINTS = [
  ...scanPoints('EthereumSepolia', 'received', INCOMING),
  ...scanPoints('BitcoinSignet', 'received', SCANNED),
  ...scanPoints('SolanaDevnet', 'received', SCANNED),
  ...scanPoints('EthereumSepolia', 'reorganised', LEFT),
  ...scanPoints('BitcoinSignet', 'reorganised', LEFT),
];

const ACTIVITY = 'begun committing committed done';
const ASKING = 'begun asked answered committing committed done';

/** The points of a transfer are in the order in which the transfer reaches them. */
export const POINTS: readonly Point[] = [
  named('request: before the commit', at('api', 'committing', 'paid', { phase: 'order' })),
  named('request: committed, no reply to the caller', at('api', 'committed', 'paid', { phase: 'order' })),
  named('start: before Temporal is notified', at('start', 'begun', 'paid')),
  named('start: Temporal notified, row not marked', at('start', 'done', 'paid')),
  ...at('deliver', 'begun numbered written heard marked', 'paid'),
  named('deliver: done, outbox row not marked', at('deliver', 'done', 'paid')),
  ...at('evaluateTransfer', ACTIVITY, 'paid'),
  ...at('tellApprovers', ACTIVITY, 'held'),
  ...at('readHold', ACTIVITY, 'held'),
  named('readHold: a denial committed', at('readHold', 'committed', 'denied')),
  named('decision: before the commit', at('api', 'committing', 'held', { phase: 'decide' })),
  named('decision: committed, no reply to the caller', at('api', 'committed', 'held', { phase: 'decide' })),
  named('decision: before Temporal is notified', at('approvalChanged', 'begun', 'held')),
  named('decision: Temporal notified, row not marked', at('approvalChanged', 'done', 'held')),
  ...at('expireHold', ACTIVITY, 'expired', { launch: 'early' }),
  named('prepareTransfer: before the claim', at('prepareTransfer', 'begun', 'paid')),
  named('prepareTransfer: claimed, before the commit', at('prepareTransfer', 'committing', 'paid')),
  named('prepareTransfer: Signing committed', at('prepareTransfer', 'committed', 'paid')),
  ...at('prepareTransfer', 'done', 'paid'),
  named('prepareTransfer: a failure before the commit', at('prepareTransfer', 'committing', 'unwelcome')),
  named('prepareTransfer: a failure committed', at('prepareTransfer', 'committed', 'unwelcome')),
  ...at('failTransfer', ACTIVITY, 'broken'),
  ...at('signTransfer', ASKING, 'paid'),
  ...at('broadcastTransfer', ASKING, 'paid'),
  named('left coins: taken over, before the commit', at('prepareTransfer', 'committing', 'left')),
  named('left coins: taken over', at('prepareTransfer', 'committed', 'left')),
  named('left coins: before the signer is asked', at('signTransfer', 'asked', 'left')),
  named('left coins: signed, answer not read', at('signTransfer', 'answered', 'left')),
  named('left coins: signed, before the commit', at('signTransfer', 'committing', 'left')),
  named('left coins: Signed committed', at('signTransfer', 'committed', 'left')),
  named('follower: before the settling commit', at('followNetwork', 'committing', 'paid', { launch: 'follower' })),
  named('follower: settling committed', at('followNetwork', 'committed', 'paid', { launch: 'follower', alone: true })),
  named('scanner: movements before the commit', at('recordMovements', 'committing', 'paid', { launch: 'follower' })),
  named('scanner: movements committed', at('recordMovements', 'committed', 'paid', { launch: 'follower', alone: true })),
  ...SCAN_POINTS,
  named('settled: before Temporal is notified', at('settled', 'begun', 'paid', { launch: 'settled' })),
  named('settled: Temporal notified, row not marked', at('settled', 'done', 'paid', { launch: 'settled' })),
  ...at('attemptDelivery', 'begun written heard marked done', 'redelivered', { launch: 'early' }),
  named('wallet: before the commit', at('api', 'committing', 'wallet', { phase: 'order' })),
  named('wallet: committed, no reply to the caller', at('api', 'committed', 'wallet', { phase: 'order' })),
  ...at('createWalletKey', ASKING, 'wallet'),
  named('charter amended: before the commit', at('api', 'committing', 'amended', { phase: 'order' })),
  named('charter amended: committed, no reply to the caller', at('api', 'committed', 'amended', { phase: 'order' })),
  named('charter amended: before the signer is asked', at('offerAmendment', 'asked', 'amended')),
  named('charter amended: the signer has the order', at('amendCharter', 'begun', 'amended')),
  named('charter amended: in the journal, no reply to the worker', at('amendCharter', 'done', 'amended')),
  named('charter amended: answered, row not written', at('offerAmendment', 'answered', 'amended')),
  named('charter amended: row written, Temporal not notified', at('offerAmendment', 'committed', 'amended')),
  named('charter restricted: in the journal, reply to the file not written', at('restrictCharter', 'done', 'restricted')),
  named(
    'charter restricted: seen, before the commit',
    at('seeCharter', 'committing', 'restricted', { phase: 'order', launch: 'follower' }),
  ),
  named('audit log: numbers before the commit', at('numberAudit', 'committing', 'numbered', { phase: 'order', alone: true })),
  named('audit log: numbers committed', at('numberAudit', 'committed', 'numbered', { phase: 'order', alone: true })),
];

/** If an activity has no point at one of these moments, `REASONS` must say why. */
export const MOMENTS = ['begun', 'committing', 'committed', 'done'] as const;

const ROUND = 'an attempt polls many times, and nothing depends on the beginning or the end of an attempt';
const OWN_COMMITS =
  'an attempt reads many blocks; the drill kills at its commits, which are steps of their own, and tests crash after every other commit';
const READS = 'reads one row whenever an hour has passed without a wake-up, and writes nothing';
const READS_STANDING = 'reads the rows of one group and writes nothing, and every other step of the group reads them again';
const LOOKS_AGAIN =
  'a check of a lane resends stored bytes, and records a request only if no earlier check did; a test runs the check twice';
const HOUSEKEEPING =
  'a scheduled round of housekeeping finds the work that an earlier round left undone, however the earlier round ended';
const SHARED = 'many deliveries share a transaction; the drill kills before and after it, at `written`, `heard` and `marked`';
const ONE_TRANSACTION =
  'one transaction covers all reads and writes; a repetition finds that the request has ended, and a test runs each activity twice';
const SIGNED_ONCE =
  'a repetition finds the results of the three transactions around the order; a test interrupts and repeats the activity after each';
const RECORDED_NOWHERE = 'a test event is not recorded, and its caller can request another test event';

const ROTATION =
  'a page of a rotation names the values to replace and skips finished rows; no money waits for it, and a test interrupts every step';
const SAME_AS_WALLET =
  'the code is the same as in createWalletKey, at which the drill kills; the signer returns the same key for the same key id';
const TOLD_AGAIN =
  'the signer accepts the same order twice, the row is updated afterwards, and the workflow repeats the order every hour anyway';
const ASKED_AGAIN =
  'the row shows whether the signer was asked, the signer gives the same reply to the same request, and a test repeats every step';
const ONE_MESSAGE =
  'the vendor knows the message by our id, and the row accepts only legal moves; a test repeats the activity in every state of the row';
const ASKS_A_VENDOR = 'sends a vendor one harmless request for a waiting caller, and writes nothing';
const REPLAYED = 'replays a recording from its beginning and blocks nothing; a test runs it twice with the same result';
const ASKED_BY_ID =
  'the vendor knows the request by its id, and the row keeps the first answer; a test runs the activity twice, and nothing is signed yet';
const ONE_TRANSACTION_COMES_IN =
  'one transaction records or judges a movement on chain; a repetition finds the result, and a test runs each activity twice';
const READS_UNTIL_ASKED = 'reads rows, and writes nothing before the signer is asked';
const AS_ANSWERED = 'nothing has changed since the answer of the signer, and the drill kills right after that answer';
const READS_AGAIN = 'the next attempt reads which amendments still wait, exactly as it does after a kill at `committed`';
const READS_SIGNER = 'reads two public facts and writes nothing';

const READ_FROM_ROW =
  'the row names the next block, and no payment depends on a back-fill; a test interrupts and repeats it after each transaction';
const MAILED = 'a lost mail loses no money; a mail that was sent but not marked is sent again under the same message id';

type Name = keyof Activities;

/** Why the drill does not kill at an activity, or at one of its moments. */
export const REASONS: Readonly<Partial<Record<Name | `${Name}:${(typeof MOMENTS)[number]}`, string>>> = {
  careForLane: LOOKS_AGAIN,
  'followNetwork:begun': ROUND,
  'followNetwork:done': ROUND,
  scanNetwork: OWN_COMMITS,
  backfillAddress: READ_FROM_ROW,
  'attemptDelivery:committing': SHARED,
  'attemptDelivery:committed': SHARED,
  doHouseRound: HOUSEKEEPING,
  readSettled: READS,
  reviewChangeRequest: ONE_TRANSACTION,
  expireChangeRequest: ONE_TRANSACTION,
  failChangeRequest: ONE_TRANSACTION,
  applyRecovery: ONE_TRANSACTION,
  readFleetGroup: READS_STANDING,
  lapseFleetGroup: ONE_TRANSACTION,
  remindOfFleetGroup: ONE_TRANSACTION,
  makeKey: SAME_AS_WALLET,
  carryOutKeyRequest: ASKED_AGAIN,
  'offerAmendment:begun': READS_UNTIL_ASKED,
  'offerAmendment:committing': AS_ANSWERED,
  'offerAmendment:done': READS_AGAIN,
  pingVendor: ASKS_A_VENDOR,
  submitTravelRule: ONE_MESSAGE,
  pollTravelRule: ONE_MESSAGE,
  readTravelRule: ONE_TRANSACTION,
  failTravelRule: ONE_TRANSACTION,
  screen: ASKED_BY_ID,
  failScreening: ASKED_BY_ID,
  recordIncoming: ONE_TRANSACTION_COMES_IN,
  judgeIncoming: ONE_TRANSACTION_COMES_IN,
  readSigner: READS_SIGNER,
  applyFreeze: TOLD_AGAIN,
  replayBacktest: REPLAYED,
  failBacktest: REPLAYED,
  endEqual: ONE_TRANSACTION,
  evaluateSignature: ONE_TRANSACTION,
  failSignature: ONE_TRANSACTION,
  signPayload: SIGNED_ONCE,
  fillSignature: ONE_TRANSACTION,
  lapseSignature: ONE_TRANSACTION,
  sendMail: MAILED,
  readActiveKek: ROTATION,
  rewrapDataKeys: ROTATION,
  rewrapSignerJournal: ROTATION,
  listKeyOwners: ROTATION,
  renewDataKey: ROTATION,
  resealKeys: ROTATION,
  sendPing: RECORDED_NOWHERE,
};
