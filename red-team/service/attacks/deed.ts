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
  /** People's requests so far, with the latest at the end. */
  readonly requests: readonly Request[];
  /** Passes bytes that the signer might sign to the judge, so that the judge can determine the effect of a signature. */
  readonly know: (bytesHex: string) => void;
  /** Records a gain that the signer's journal does not show. */
  readonly gained: (what: string) => void;
};

/** An action of the attacker. The outcome `Accepted` does not by itself mean a gain: the judge decides by the effects. */
export type Deed = {
  readonly kind: string;
  /** How often the kind is chosen, compared with the other kinds. */
  readonly weight: number;
  /** Undefined if the rows do not contain anything that this kind could use. */
  readonly act: (scene: ServiceScene) => Promise<Outcome | undefined>;
};

export const THIEF_ADDRESS = '0x00000000000000000000000000000000000dead1';
const LATELY = 8;

const lately = ({ requests }: ServiceScene, isMeant: (request: Request) => boolean) => requests.filter(isMeant).slice(-LATELY);

/** One of the latest requests for which `isMeant` returns true. */
export function anyRequest(scene: ServiceScene, isMeant: (request: Request) => boolean = () => true): Request | undefined {
  const found = lately(scene, isMeant);
  return found.length === 0 ? undefined : scene.random.oneOf(found);
}

export const isTransfer = ({ form }: Request): boolean => form !== 'signatures';
