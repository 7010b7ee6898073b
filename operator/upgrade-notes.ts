type Version = `${number}.${number}.${number}`;

/**
 * Tasks that each release leaves to its operator, newest release last. An upgrade to a release prints the tasks of this release
 * and of every release that the upgrade skips. A release without tasks has an empty list. CHANGELOG.md lists the changes that
 * callers notice. Effects on the rows of one installation are not listed here, because the upgrade finds these effects in its
 * database and prints them.
 */
export const UPGRADE_NOTES: Readonly<Record<Version, readonly string[]>> = {
  '0.1.0': [
    'Key export, bare hashes and typed data without a chain id are off until SIGNER_EXPORT, SIGNER_HASH and SIGNER_CHAINLESS_TYPED_DATA of the signer are true.',
    'Where the worker may not register search attributes (a hosted Temporal), add Stage (Keyword), ApprovalGroup (KeywordList) and Deadline (Datetime) first.',
    'Start the signer before the workers: they send it requests that an older signer counts as malformed orders.',
    'Install deploy/prometheus/alerts.yml again. StrongroomBackupOld counts from this upgrade until the first backup; deploy/systemd/ has a timer for it.',
  ],
};
