import { testsOfOutput } from '../../../support/ceremony-api';

testsOfOutput({
  request: { kind: 'KeyHarvest', hsmTargetSerial: 'D-1', macTargetSerial: 'M-1', macTargetUsername: 'Ada', numEd25519: 2 },
  bad: [],
});
