type Version = `${number}.${number}.${number}`;

/**
 * Newest release last. An upgrade prints the tasks of its release and of every skipped release. A release without tasks has an
 * empty list.
 */
export const UPGRADE_NOTES: Readonly<Record<Version, readonly string[]>> = {
  '0.1.0': [
    'Key export, bare hashes and typed data without a chain id are off until SIGNER_EXPORT, SIGNER_HASH and SIGNER_CHAINLESS_TYPED_DATA of the signer are true.',
    'Where the worker may not register search attributes (a hosted Temporal), add Stage (Keyword), ApprovalGroup (KeywordList) and Deadline (Datetime) first.',
    'Start the signer before the workers: they send it requests that an older signer counts as malformed orders.',
    'An older signer refuses the state folder once a charter was adopted, and counts orders of a newer worker as malformed.',
    'Requests of an organisation with a charter that were signed before this version must be requested again: the signer counts only actions with an anchor.',
    'The first start of the signer moves its three files into one journal. An older signer then refuses the folder: to go back, restore the folder as it was before the upgrade.',
    'The next draft of a charter with mainnets needs --seen all: charters now also name deriveKey, which people must then see.',
    'Install deploy/prometheus/alerts.yml again. StrongroomBackupOld counts from this upgrade until the first backup; deploy/systemd/ has a timer for it.',
  ],
};
