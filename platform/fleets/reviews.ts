import { z } from 'zod';
import type { FleetKind } from '../../domain/fleets';
import { Digest } from './statement';

/**
 * The body by which a person approves a ceremony. The digest of the new manifest names the members of the fleet, so the service
 * cannot exchange the output between the review and the record.
 */
export const FleetReviewBody = z.strictObject({ manifest: Digest });
export type FleetReviewBody = z.infer<typeof FleetReviewBody>;

/** The place of the request by which a person approves a ceremony. */
export const FLEET_REVIEW_PATH = '/key-stores/:storeId/fleet-operations/:groupId/approve';

/** The place of the request by which a person asks for the input of a group. */
export const FLEET_INPUT_PATHS = {
  Genesis: '/key-stores/:storeId/genesis/input',
  Clone: '/key-stores/:storeId/clone/input',
  KeyHarvest: '/key-stores/:storeId/key-harvest/input',
  AddProvisioner: '/key-stores/:storeId/add-provisioner/input',
  AddMacUser: '/key-stores/:storeId/add-mac-user/input',
  OnchainSign: '/key-stores/:storeId/onchain-sign/input',
  ProofOfControl: '/key-stores/:storeId/proof-of-control/input',
} as const satisfies Readonly<Record<FleetKind, string>>;
