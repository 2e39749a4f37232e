import { STATUS_LIST_SIZE } from '@touchstone/certificate/withdrawal';
import type { KeyRotation, NodeHealth, OperatorOverview, QueueState } from '@touchstone/contract';
import { FactList } from '../../ui/fact-list.tsx';
import { hasPart } from '../../ui/page-data.ts';
import { fill, Untrusted } from '../../ui/text.tsx';
import { useCall, useRepeat } from '../loading.ts';
import { At, Bar, type Standing, State } from '../parts/display.tsx';
import { Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { href } from '../routes.ts';
import { useFormat, useWords } from '../tools.ts';

/** Poll interval in milliseconds. */
const POLL_INTERVAL = 15_000;

/** State of the service: capacity, nodes, queues, keys, status lists. */
export function ServicePage() {
  const { operator: words } = useWords();
  const loaded = useCall('getOperatorOverview', {});
  useRepeat(loaded.reload, POLL_INTERVAL, loaded.value !== undefined && loaded.error === undefined);
  return (
    <Page title={words.title} of={<At text={words.at} at={loaded.value?.at} />}>
      <Shown of={loaded}>
        {(overview) => (
          <>
            <Capacity overview={overview} />
            <section>
              <h2>{words.nodes}</h2>
              <ul class="rows" aria-label={words.nodes}>
                {overview.nodes.map((node) => (
                  <Node key={node.id} node={node} />
                ))}
              </ul>
            </section>
            <Queues queues={overview.queues} />
            <Keys keys={overview.keys} />
            {hasPart('status-lists') ? <StatusLists /> : null}
          </>
        )}
      </Shown>
    </Page>
  );
}

function Capacity({ overview: { merchants, stores } }: { overview: OperatorOverview }) {
  const { operator: words } = useWords();
  const { number, count: counted } = useFormat();
  const { count, paused, full, planCapacity, slotsHeld } = merchants;
  const held = fill(words.seatsOf, { held: number(slotsHeld), capacity: number(planCapacity) });
  return (
    <section>
      <h2>{words.capacity}</h2>
      <Bar label={`${words.seats}: ${held}`} done={slotsHeld} total={Math.max(planCapacity, 1)} />
      <FactList
        facts={[
          [
            words.merchants,
            <a href={href('merchants', {})}>
              {number(count)}
              {full === 0 ? '' : ` · ${counted(words.full, full)}`}
              {paused === 0 ? '' : ` · ${counted(words.paused, paused)}`}
            </a>,
          ],
          [words.stores, <a href={href('home', {})}>{number(stores)}</a>],
        ]}
      />
    </section>
  );
}

const NODE_STANDINGS: Readonly<Record<NodeHealth['state'], Standing>> = {
  ready: 'good',
  not_ready: 'bad',
  silent: 'off',
};

function Node({
  node: { id, version, processes, startedAt, seenAt, state, problems, findings },
}: {
  node: NodeHealth;
}) {
  const { operator: words } = useWords();
  const { moment, number } = useFormat();
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          <code>{id}</code>
        </span>
        <span class="row-detail">
          {fill(words.nodeFacts, { version, processes: number(processes), since: moment(startedAt) })}
        </span>
        {[...problems, ...findings].map((problem) => (
          <p key={problem} lang="en">
            <Untrusted text={problem} />
          </p>
        ))}
      </div>
      <div class="row-side">
        <State standing={NODE_STANDINGS[state]} label={words.nodeStates[state]} />
        <span class="hint">
          <At text={words.seen} at={seenAt} />
        </span>
      </div>
    </li>
  );
}

function Queues({ queues }: { queues: readonly QueueState[] }) {
  const { operator: words } = useWords();
  const { number } = useFormat();
  const names: Readonly<Record<string, string>> = words.queueNames;
  return (
    <section>
      <h2>{words.queues}</h2>
      {queues.length === 0 ? (
        <p>{words.noQueues}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus
        <section class="table-scroll" aria-label={words.queues} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {[
                  words.queue,
                  words.waiting,
                  words.running,
                  words.failedJobs,
                  words.scheduled,
                  words.oldest,
                ].map((name) => (
                  <th scope="col" key={name}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {queues.map(({ queue, waiting, running, scheduled, retrying, givenUp = 0, oldestDueAt }) => (
                <tr key={queue}>
                  <th scope="row">{names[queue] ?? <code>{queue}</code>}</th>
                  <td>{number(waiting)}</td>
                  <td>{number(running)}</td>
                  <td>{number(retrying + givenUp)}</td>
                  <td>{number(scheduled)}</td>
                  <td>{oldestDueAt === undefined ? '–' : <At text="{time}" at={oldestDueAt} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

function Keys({ keys }: { keys: readonly KeyRotation[] }) {
  const { operator: words, nav } = useWords();
  return (
    <section>
      <h2>{words.keys}</h2>
      {keys.map(({ purpose, activeKid, standbyKid, rotatesAt }) => (
        <section key={purpose}>
          <h3>{words.purposes[purpose]}</h3>
          <FactList
            facts={[
              [
                words.signsNow,
                activeKid === undefined ? (
                  <State standing="bad" label={words.noActive} />
                ) : (
                  <code>{activeKid}</code>
                ),
              ],
              [
                words.standby,
                standbyKid === undefined ? undefined : (
                  <>
                    <code>{standbyKid}</code> <At text={words.rotates} at={rotatesAt} />
                  </>
                ),
              ],
            ]}
          />
        </section>
      ))}
      <p>
        <a href={href('signingKeys', {})}>{nav.signingKeys}</a>
      </p>
    </section>
  );
}

/** What verifiers that do not ask the service learn of withdrawals: how new it is, and for how many proofs there is room. */
function StatusLists() {
  const { operator: words } = useWords();
  const { number } = useFormat();
  const loaded = useCall('listStatusLists', {});
  useRepeat(loaded.reload, POLL_INTERVAL, loaded.value !== undefined && loaded.error === undefined);
  return (
    <section>
      <h2>{words.statusLists}</h2>
      <Shown of={loaded}>
        {({ lists, waiting }) => {
          const newest = lists.toSorted((a, b) => b.openedAt.localeCompare(a.openedAt))[0];
          const taken = number(newest?.taken ?? 0);
          return (
            <FactList
              facts={[
                [words.listSigned, newest && <At text="{time}" at={newest.issuedAt} />],
                [words.listEntries, fill(words.seatsOf, { held: taken, capacity: number(STATUS_LIST_SIZE) })],
                [words.listChanges, number(waiting)],
              ]}
            />
          );
        }}
      </Shown>
    </section>
  );
}
