/**
 * English words that carry grammar rather than content. They make up half of a question ("what did you do when …"), and every long
 * chat contains all of them, so they would raise every long text.
 */
export const stopWords: ReadonlySet<string> = new Set(
  `a an the this that these those of to in on at by for from with about into over after before between during through
  while until against and or but nor if then than so as not no once again here there up out off down now just also very
  too only any some all both each other another such own same more most
  is are was were be been being am do does did done doing have has had having
  can could should would will shall may might must
  i you he she it we they me him her us them my your his its our their mine yours hers ours theirs
  who whom whose which what when where why how s t d m re ve ll`.split(/\s+/),
)
