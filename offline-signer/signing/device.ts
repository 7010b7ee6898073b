import type { FleetManifest } from '../../platform/fleets/manifests';
import type { CharterInForce } from '../../signer/charters/charter-in-force';
import type { Screen } from '../screen';
import type { Claims } from '../state/claims';
import type { OpenFolder } from '../state/open-folder';
import type { DeviceRules } from './rules';

/** The parts of the device with which requests are signed. */
export type SigningDevice = Pick<OpenFolder, 'withKeys'> & {
  /** The public key of the pinned signer, in hex. */
  readonly signerKey: string;
  readonly manifest: Pick<FleetManifest, 'ranges'>;
  readonly claims: Claims;
  /** Undefined without `rules.json`: everything that the signer vouches for is shown, and confirmed one by one. */
  readonly rules: DeviceRules | undefined;
  readonly charter: CharterInForce | undefined;
  readonly screen: Pick<Screen, 'say' | 'confirm'>;
};
