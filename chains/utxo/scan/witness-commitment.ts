import { inputWitnessOf } from './input-signatures';
import { merkleRoot } from './merkle-root';
import { hashTwice, type RawTransaction } from './raw-transaction';

/** The beginning of the output that commits to the witnesses (BIP141). */
const COMMITMENT = Buffer.from('6a24aa21a9ed', 'hex');
const HASH_BYTES = 32;

const bytesOfId = (txid: string) => Buffer.from(txid, 'hex').reverse();

/** Whether the reward of the block commits to all witnesses in the block. */
export function commitsToWitnesses([reward, ...others]: readonly RawTransaction[]): boolean {
  if (!reward) return false;
  const commitment = reward.outputs.filter(({ script }) => script.subarray(0, COMMITMENT.length).equals(COMMITMENT)).at(-1);
  const [reserved] = inputWitnessOf(reward, 0);
  if (!commitment || reserved?.length !== HASH_BYTES) return false;
  // A transaction without witnesses is represented by its id, and the reward, which contains the commitment, by zeros.
  const leaves = others.map(({ txid, bytes, witnesses }) => (witnesses.length === 0 ? bytesOfId(txid) : hashTwice(bytes)));
  const root = merkleRoot([Buffer.alloc(HASH_BYTES), ...leaves]);
  return hashTwice(root, reserved).equals(commitment.script.subarray(COMMITMENT.length, COMMITMENT.length + HASH_BYTES));
}
