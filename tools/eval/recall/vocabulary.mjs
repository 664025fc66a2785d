// @ts-check
/** What generated notes are made of. */

export const projects = [
  'Harbor',
  'Lantern',
  'Quill',
  'Basalt',
  'Meadow',
  'Cinder',
  'Orchard',
  'Pylon',
  'Tundra',
  'Willow',
  'Zephyr',
  'Kestrel',
]

export const services = [
  'billing',
  'search',
  'mailer',
  'gateway',
  'scheduler',
  'importer',
  'auth',
  'reports',
  'uploads',
  'webhooks',
]

export const regions = ['Frankfurt', 'Oregon', 'Singapore', 'São Paulo', 'Dublin', 'Tokyo', 'Mumbai', 'Sydney']

export const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** @typedef {(service: string, value: string) => string} Saying */

export const facts = [
  {
    name: 'port',
    values: ['8080', '9443', '7001', '5055', '3300'],
    first: /** @type {Saying} */ ((service, value) => `The ${service} service listens on port ${value}.`),
    later: [
      /** @type {Saying} */ (
        (service, value) => `Moved ${service} to ${value}, because another process had taken its place.`
      ),
      /** @type {Saying} */ ((service, value) => `${service} answers at ${value} from this release on.`),
    ],
    question: /** @type {Saying} */ (
      (service, project) => `Which port does the ${service} service of ${project} listen on now?`
    ),
  },
  {
    name: 'owner',
    values: ['Amara', 'Björn', 'Chiara', 'Dmitri', 'Esther', 'Farid'],
    first: /** @type {Saying} */ ((service, value) => `${value} owns ${service} and reviews every change to it.`),
    later: [
      /** @type {Saying} */ ((service, value) => `${value} has taken over ${service}.`),
      /** @type {Saying} */ ((service, value) => `Ask ${value} about ${service}; the handover is finished.`),
    ],
    question: /** @type {Saying} */ (
      (service, project) => `Who currently owns ${service} in ${project} and reviews changes?`
    ),
  },
  {
    name: 'timeout',
    values: ['two seconds', 'five seconds', 'thirty seconds', 'one minute'],
    first: /** @type {Saying} */ ((service, value) => `Requests to ${service} have a timeout of ${value}.`),
    later: [
      /** @type {Saying} */ ((service, value) => `We now give ${service} ${value} before giving up.`),
      /** @type {Saying} */ ((service, value) => `Raised the limit for ${service} to ${value} after the slow week.`),
    ],
    question: /** @type {Saying} */ (
      (service, project) => `What is the current timeout of requests to ${service} in ${project}?`
    ),
  },
  {
    name: 'database',
    values: ['PostgreSQL 14', 'PostgreSQL 15', 'PostgreSQL 16', 'PostgreSQL 17'],
    first: /** @type {Saying} */ ((service, value) => `The database behind ${service} is ${value}.`),
    later: [
      /** @type {Saying} */ ((service, value) => `Upgraded ${service} to ${value} without downtime.`),
      /** @type {Saying} */ ((service, value) => `${service} runs against ${value} since the migration.`),
    ],
    question: /** @type {Saying} */ (
      (service, project) => `What is the latest database version behind ${service} in ${project}?`
    ),
  },
]

export const incidents = [
  { text: 'A certificate had expired.' },
  { text: 'The disk was full of debug logs.' },
  { text: 'A bad deploy dropped the connection pool.' },
  { text: 'A name server gave stale answers.' },
  { text: 'The queue grew faster than it was drained.' },
]

/** @typedef {(project: string) => string} Asking */

export const practices = [
  {
    title: 'Running the tests',
    ways: [
      'tests run with make check inside the container.',
      'tests run with npm test after a build.',
      'tests run only against a seeded database.',
    ],
    question: /** @type {Asking} */ ((project) => `How are tests run in ${project}?`),
  },
  {
    title: 'Releasing',
    ways: [
      'a release is a signed tag on main.',
      'a release goes out every second Tuesday.',
      'a release needs two approvals and a changelog entry.',
    ],
    question: /** @type {Asking} */ ((project) => `How is a release made in ${project}?`),
  },
  {
    title: 'Reviewing changes',
    ways: [
      'a change is reviewed by one other person within a day.',
      'changes are paired on, not reviewed.',
      'a change over 300 lines is split before review.',
    ],
    question: /** @type {Asking} */ ((project) => `Who reviews changes in ${project}, and when?`),
  },
  {
    title: 'Keeping secrets',
    ways: [
      'secrets come from the vault agent at start.',
      'secrets are sealed in the repository.',
      'secrets are environment variables set by the platform.',
    ],
    question: /** @type {Asking} */ ((project) => `Where do secrets come from in ${project}?`),
  },
  {
    title: 'Formatting code',
    ways: [
      'code is formatted on commit, tabs everywhere.',
      'code is formatted in CI with two spaces.',
      'nobody formats by hand; the editor does.',
    ],
    question: /** @type {Asking} */ ((project) => `Does ${project} indent with tabs or spaces?`),
  },
]

export const decisions = [
  {
    name: 'caching',
    outcomes: [
      'No cache until a profile shows the need.',
      'Cache reads for a minute at the edge.',
      'One cache per process, no shared one.',
      'Cache invalidation follows the event feed.',
    ],
  },
  {
    name: 'logging',
    outcomes: [
      'Structured lines only, one object each.',
      'Keep logs for thirty days, then delete.',
      'Personal data never enters a log line.',
      'Sample debug lines at one percent.',
    ],
  },
  {
    name: 'retries',
    outcomes: [
      'Three attempts with jitter, then a dead letter.',
      'Only idempotent calls are tried again.',
      'The caller decides; the client never repeats.',
      'Back off up to a minute.',
    ],
  },
]

export const paraphrases = [
  {
    title: 'Editor habits',
    note: 'The user dislikes long explanations; answer in two sentences.',
    question: 'How verbose should replies be?',
  },
  {
    title: 'Laptop',
    note: 'Builds on the old notebook take a quarter of an hour.',
    question: 'Is compilation slow on the portable computer?',
  },
  {
    title: 'Holiday',
    note: 'Nobody deploys between Christmas and New Year.',
    question: 'May we ship in the last week of December?',
  },
  {
    title: 'Backups',
    note: 'Copies of the warehouse are taken nightly and kept for a month.',
    question: 'How often do we snapshot the data, and what is the retention?',
  },
  {
    title: 'Flaky',
    note: 'The browser suite fails at random when the machine is loaded.',
    question: 'Which tests are unreliable on busy hardware?',
  },
  {
    title: 'Customer',
    note: 'Their physicians enter prescriptions by voice.',
    question: 'How do the doctors of that client order medicine?',
  },
  {
    title: 'Money',
    note: 'Amounts are integers of cents, never floating point.',
    question: 'What type do we use for prices?',
  },
  {
    title: 'Night shift',
    note: 'Alerts after ten in the evening go to whoever holds the pager.',
    question: 'Who gets woken up when something breaks at midnight?',
  },
  {
    title: 'Pictures',
    note: 'Photographs are shrunk on the phone before they are sent.',
    question: 'Where are images resized prior to upload?',
  },
  {
    title: 'Words',
    note: 'Call them members in the interface, not users.',
    question: 'What term should the screen use for a person with an account?',
  },
  {
    title: 'Removal',
    note: 'Erasing a person’s records must finish within a week.',
    question: 'What is the deadline for deleting customer data?',
  },
  {
    title: 'Meetings',
    note: 'The team talks every morning at half past nine, standing.',
    question: 'When is the daily stand-up?',
  },
  {
    title: 'Cars',
    note: 'Vehicle positions arrive every five seconds from the trucks.',
    question: 'How frequently does the fleet report its location?',
  },
  {
    title: 'Weather',
    note: 'Rain forecasts come from a paid provider with a daily quota.',
    question: 'Is there a limit on calls for meteorological predictions?',
  },
  {
    title: 'Boss',
    note: 'Spending above a thousand euros needs a signature of the director.',
    question: 'Which purchases require approval by management?',
  },
  {
    title: 'Hiring',
    note: 'Candidates get a small paid exercise instead of a whiteboard talk.',
    question: 'How do we test job applicants?',
  },
]

export const fillers = [
  'Noted while cleaning up after the last sprint.',
  'See the wiki for the longer story; this is the short of it.',
  'Came up in review, and will come up again.',
  'Written down so that nobody has to find out twice.',
  'The service owner agreed, and the timeout question was left for another day.',
  'Tests were run before and after; the release was not held up.',
]
