import { testsOfOutput } from '../../../support/ceremony-api';
import { noteAnswer } from '../../../support/examples';
import { GENESIS } from '../../../support/fleet-story';

testsOfOutput({
  note: (body, answer, params) => noteAnswer('submitGenesisOutput', body, answer, params),
  request: GENESIS,
  bad: [],
});
