import type { Operation } from '../../http/operation';
import { createAddMacUserInput } from './create-add-mac-user-input';
import { createAddProvisionerInput } from './create-add-provisioner-input';
import { createCloneInput } from './create-clone-input';
import { createGenesisInput } from './create-genesis-input';
import { createKeyHarvestInput } from './create-key-harvest-input';
import { submitAddMacUserOutput } from './submit-add-mac-user-output';
import { submitAddProvisionerOutput } from './submit-add-provisioner-output';
import { submitCloneOutput } from './submit-clone-output';
import { submitGenesisOutput } from './submit-genesis-output';
import { submitKeyHarvestOutput } from './submit-key-harvest-output';

export const ceremonyOperations: readonly Operation[] = [
  createGenesisInput,
  submitGenesisOutput,
  createCloneInput,
  submitCloneOutput,
  createKeyHarvestInput,
  submitKeyHarvestOutput,
  createAddProvisionerInput,
  submitAddProvisionerOutput,
  createAddMacUserInput,
  submitAddMacUserOutput,
];
