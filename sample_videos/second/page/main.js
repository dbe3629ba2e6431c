// Asks for work, does it, tells what came of it.
import { bakeDeck } from './bake.js';
import { Stage } from './stage.js';

let stage = null;

async function act(work) {
  if (work.do === 'bake') return [{ pictures: await bakeDeck(work.url, work.ids) }, null];
  if (work.do === 'scene') {
    stage?.dispose();
    stage = new Stage();
    await stage.build(work.scene);
    return [{}, null];
  }
  if (work.do === 'draw') {
    await stage.move(work.moves ?? [], work.only ?? false);
    const [values, pixels] = stage.picture();
    return [work.truth ? { ...values, ...stage.truth() } : values, pixels];
  }
  throw new Error(`no such work: ${work.do}`);
}

async function tell(values, bytes) {
  await fetch('/done', { method: 'POST', body: new Blob([JSON.stringify(values), '\n', bytes ?? new Uint8Array()]) });
}

for (;;) {
  const answer = await fetch('/work');
  if (answer.status !== 200) continue;
  try {
    const work = await answer.json();
    if (work.do === 'reload') {
      await tell({}, null);
      location.reload();
      break;
    }
    await tell(...await act(work));
  } catch (error) {
    await tell({ fault: `${error.message} ${error.stack ?? ''}` }, null);
  }
}
