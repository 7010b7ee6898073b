import type { PolicyInForce, Rule } from '../../domain/policies';
import type { ChangeFacts, Facts, WalletFacts } from '../../policy/types';

/** The verdict of the model, without the texts for people. */
export type ModelVerdict = {
  readonly outcome: 'Cleared' | 'Held' | 'Blocked';
  /**
   * Whether each policy that applies triggers, by policy id. `enforced` has the enforced policies, `shadows` those in shadow
   * mode.
   */
  readonly enforced: Readonly<Record<string, boolean>>;
  readonly shadows: Readonly<Record<string, boolean>>;
  readonly blockedBy: readonly string[];
  /** Policy id and position of each group that has to approve. */
  readonly groups: readonly string[];
  readonly minutes: number | null;
};

const LEVELS = 'LOW MEDIUM HIGH SEVERE';

/**
 * A second engine for comparison, written as plainly as possible from the documentation of the rules. An activity passes a rule
 * only if every fact for the rule is known.
 */
export function modelVerdict(policies: readonly PolicyInForce[], facts: Facts | ChangeFacts): ModelVerdict {
  const enforced: Record<string, boolean> = {};
  const shadows: Record<string, boolean> = {};
  const blockedBy: string[] = [];
  const groups: string[] = [];
  let minutes = Number.POSITIVE_INFINITY;
  for (const policy of policies) {
    const ofFee = feeIn(policy, facts);
    const isAboutIt = isAbout(policy, facts);
    if (!isAboutIt && ofFee === null) continue;
    const triggered = (isAboutIt && !passes(policy.rule, facts)) || (ofFee !== null && !passes(policy.rule, ofFee));
    if (policy.mode === 'Shadow') {
      shadows[policy.id] = triggered;
      continue;
    }
    enforced[policy.id] = triggered;
    if (!triggered) continue;
    const { action } = policy;
    if (action.kind === 'Block') blockedBy.push(policy.id);
    if (action.kind !== 'RequestApproval') continue;
    action.approvalGroups.forEach((_group, at) => {
      groups.push(`${policy.id}/${String(at).padStart(3, '0')}`);
    });
    if (typeof action.autoRejectTimeout === 'number' && action.autoRejectTimeout < minutes) minutes = action.autoRejectTimeout;
  }
  blockedBy.sort();
  groups.sort();
  if (blockedBy.length > 0) return { outcome: 'Blocked', enforced, shadows, blockedBy, groups: [], minutes: null };
  if (groups.length === 0) return { outcome: 'Cleared', enforced, shadows, blockedBy, groups, minutes: null };
  return { outcome: 'Held', enforced, shadows, blockedBy, groups, minutes: Number.isFinite(minutes) ? minutes : null };
}

/** Returns the fee as a payment from the sponsor's wallet without a recipient, or null if the policy does not concern the fee. */
function feeIn({ filters, rule }: PolicyInForce, facts: Facts | ChangeFacts): Facts | null {
  if (!('walletId' in facts) || facts.sponsor === undefined) return null;
  if (rule.kind !== 'AlwaysTrigger' && !rule.kind.startsWith('TransactionAmount') && !rule.kind.endsWith('Velocity')) return null;
  const { walletId, walletTags, storeId, amountUsdMicro } = facts.sponsor;
  const { initiatorId, network, usage = [] } = facts;
  const store = storeId === undefined ? {} : { storeId };
  const fee = { walletId, walletTags, ...store, amountUsdMicro, initiatorId, network, usage, recipients: [] };
  return isAbout({ filters }, fee) ? fee : null;
}

function isAbout({ filters }: Pick<PolicyInForce, 'filters'>, facts: Facts | ChangeFacts): boolean {
  if ('walletId' in facts && facts.isOwnKey) return false;
  if (filters === null) return true;
  if (!('walletId' in facts)) {
    if (filters.permissionId && facts.permissionId !== null && filters.permissionId.in.indexOf(facts.permissionId) < 0)
      return false;
    if (filters.policyId && facts.policyId !== null && filters.policyId.in.indexOf(facts.policyId) < 0) return false;
    return true;
  }
  const { storeId: stores, ...ofWallets } = filters;
  if (facts.storeId !== undefined && stores !== undefined) {
    if (stores.in && stores.in.indexOf(facts.storeId) < 0) return false;
    if (stores.notIn && stores.notIn.indexOf(facts.storeId) >= 0) return false;
  }
  const wallets = walletsOf(facts);
  if (wallets.length === 0) return JSON.stringify(ofWallets).indexOf('[') < 0;
  for (const { walletId, walletTags } of wallets) {
    let fits = true;
    if (filters.walletId) fits = fits && filters.walletId.in.indexOf(walletId) >= 0;
    if (filters.walletTags?.hasAny) fits = fits && filters.walletTags.hasAny.filter((tag) => walletTags.includes(tag)).length > 0;
    if (filters.walletTags?.hasAll)
      fits = fits && filters.walletTags.hasAll.filter((tag) => !walletTags.includes(tag)).length === 0;
    if (fits) return true;
  }
  return false;
}

/** Returns an empty list for a key without a known wallet. */
function walletsOf(facts: Facts): WalletFacts[] {
  if (facts.walletId === null) return [];
  return [{ walletId: facts.walletId, walletTags: facts.walletTags }].concat(facts.otherWallets ?? []);
}

/** Returns true only if every fact for the rule is known and allowed. */
function passes(rule: Rule, facts: Facts | ChangeFacts): boolean {
  if (rule.kind === 'AlwaysTrigger' || !('walletId' in facts)) return false;
  switch (rule.kind) {
    case 'TransactionAmountLimit':
      return facts.amountUsdMicro !== null && isWithin(facts.amountUsdMicro, rule.configuration.limit);
    case 'TransactionAmountVelocity':
    case 'TransactionCountVelocity':
      return passesVelocity(rule, facts);
    case 'TransactionRecipientWhitelist':
      return passesWhitelist(rule, facts);
    case 'TravelRuleTransactionPrescreening':
      return passesTravelRule(rule, facts);
    default:
      return passesScreening(rule, facts);
  }
}

/** A micro-dollar is a millionth of a dollar. */
function isWithin(micro: string, dollars: number): boolean {
  const [whole = '', fraction = ''] = micro.split('.');
  return BigInt(whole) < BigInt(`${dollars}000000`) || (BigInt(whole) === BigInt(`${dollars}000000`) && !/[1-9]/.test(fraction));
}

type Velocity = Extract<Rule, { kind: 'TransactionAmountVelocity' | 'TransactionCountVelocity' }>;
function passesVelocity(rule: Velocity, facts: Facts): boolean {
  const wallets = walletsOf(facts);
  if (wallets.length === 0) return false;
  for (const { walletId } of wallets) {
    const windows = (facts.usage ?? []).filter(
      (one) => one.walletId === walletId && one.timeframeMinutes === rule.configuration.timeframe,
    );
    const window = windows[0];
    if (window === undefined) return false;
    if (rule.kind === 'TransactionCountVelocity') {
      if (window.count > rule.configuration.limit) return false;
    } else if (window.amountUsdMicro === null || !isWithin(window.amountUsdMicro, rule.configuration.limit)) return false;
  }
  return true;
}

function passesWhitelist(rule: Extract<Rule, { kind: 'TransactionRecipientWhitelist' }>, facts: Facts): boolean {
  const known: string[] = [...rule.configuration.addresses];
  for (const id of rule.configuration.registryAddressIds ?? []) {
    const address = facts.registryAddresses?.[id];
    if (address !== undefined) known.push(address);
  }
  const plain = (address: string) => (/^0[xX][0-9a-fA-F]{40}$/.test(address) ? address.toUpperCase() : address);
  const listed = known.map(plain);
  if (facts.paysNobody === true) return true;
  for (const recipient of facts.recipients) if (listed.indexOf(plain(recipient)) < 0) return false;
  return facts.recipients.length > 0;
}

function passesTravelRule(rule: Extract<Rule, { kind: 'TravelRuleTransactionPrescreening' }>, { travelRule }: Facts): boolean {
  if (travelRule === undefined) return false;
  if (travelRule.kind === 'NotApplicable') return true;
  if (travelRule.kind !== 'Ended') return false;
  if (travelRule.state === 'Accepted') return true;
  return travelRule.state === 'Cleared' && rule.configuration.autoClearAfterDeliveredTimeoutSeconds !== undefined;
}

type Screening = Extract<
  Rule,
  { kind: 'KytATransactionPrescreening' | 'KytATransactionScreening' | 'KytBTransactionPrescreening' }
>;
function passesScreening(rule: Screening, facts: Facts): boolean {
  const isB = rule.kind === 'KytBTransactionPrescreening';
  const [answer] = (facts.screenings ?? []).filter(({ vendor }) => vendor === (isB ? 'KytB' : 'KytA'));
  const skips = rule.configuration.fallbackBehaviours;
  const skipsFailure = 'skipKytBFailure' in skips ? skips.skipKytBFailure : skips.skipKytAFailure;
  if (answer === undefined) return skipsFailure;
  const { result } = answer;
  switch (result.kind) {
    case 'Unscreenable':
      return skips.skipUnscreenableTransaction;
    case 'UnsupportedNetwork':
      return skips.skipUnsupportedNetwork;
    case 'UnsupportedAsset':
      return skips.skipUnsupportedAsset;
    case 'VendorFailed':
      return skipsFailure;
    default:
  }
  if (isB || 'riskScore' in result)
    return isB && 'riskScore' in result && result.riskScore < rule.configuration.riskScoreThreshold;
  const { alerts, exposures } = rule.configuration;
  const hits = (wanted: readonly number[], found: number | null) => wanted.length === 0 || wanted.some((id) => id === found);
  for (const { level, categoryId } of result.alerts)
    if (LEVELS.indexOf(level) >= LEVELS.indexOf(alerts.alertLevel) && hits(alerts.categoryIds, categoryId)) return false;
  for (const { categoryId } of result.directExposures) if (hits(exposures.direct.categoryIds, categoryId)) return false;
  if (!('addresses' in rule.configuration)) return true;
  for (const { categoryId } of result.addresses) if (hits(rule.configuration.addresses.categoryIds, categoryId)) return false;
  return true;
}
