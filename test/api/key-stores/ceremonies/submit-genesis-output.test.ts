import { testsOfOutput } from '../../../support/ceremony-api';
import { GENESIS } from '../../../support/fleet-story';

testsOfOutput({
  request: GENESIS,
  bad: [],
});
