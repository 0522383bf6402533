/** What the last complete proof of this version came to. Written by `npm run pin`. */
export const publishedPower = {
  rules: 189,
  rulesProven: 189,
  mandatory: 165,
  mandatoryProven: 165,
  mandatoryAlone: 155,
  mutants: 596,
  mutantsCaught: 596,
  variants: 130,
  alarms: 0,
};
