import type { Random } from '../../../drill/chaos/random';
import type { Outcome } from '../../wire';
import type { Company } from '../company';
import type { Hands } from '../hands';
import type { Request } from '../traffic';

export type ServiceScene = {
  readonly hands: Hands;
  readonly company: Company;
  readonly random: Random;
  /** The number of the attempt, which is unique in a run. */
  readonly number: number;
  /** What people asked for lately, the latest last. */
  readonly requests: readonly Request[];
  /** Bytes of which the judge must know what a signature over them does. */
  readonly know: (bytesHex: string) => void;
  /** What the signer gave at once, and its journal does not show. */
  readonly gained: (what: string) => void;
};

/** What the attacker did. `Accepted` is no gain yet: the judge sees what came of it. */
export type Deed = {
  readonly kind: string;
  /** How often the kind is chosen, compared with the others. */
  readonly weight: number;
  /** Undefined if the rows have nothing that this kind could use. */
  readonly act: (scene: ServiceScene) => Promise<Outcome | undefined>;
};

export const THIEF_ADDRESS = '0x00000000000000000000000000000000000dead1';
const LATELY = 8;

const lately = ({ requests }: ServiceScene, isMeant: (request: Request) => boolean) => requests.filter(isMeant).slice(-LATELY);

/** One of the latest requests that are meant. */
export function anyRequest(scene: ServiceScene, isMeant: (request: Request) => boolean = () => true): Request | undefined {
  const found = lately(scene, isMeant);
  return found.length === 0 ? undefined : scene.random.oneOf(found);
}

export const isTransfer = ({ form }: Request): boolean => form !== 'signatures';
