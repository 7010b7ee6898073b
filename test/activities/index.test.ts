import { createChainActivities, createMainActivities, createSignerActivities, createVendorActivities } from '../../activities';
import { activityNames, namesMadeBy } from '../support/durable-names';

test('each activity that a file of this folder makes is registered for one queue, and no other activity is', () => {
  const registered = [
    ...namesMadeBy(createMainActivities),
    ...namesMadeBy(createSignerActivities),
    ...namesMadeBy(createChainActivities),
    ...namesMadeBy(createVendorActivities),
  ];
  expect(registered.sort()).toEqual(activityNames().sort());
});
