/** What the last complete proof of this version came to. Written by `npm run pin`. */
export const publishedPower = {
  rules: 200,
  rulesProven: 200,
  mandatory: 169,
  mandatoryProven: 169,
  mandatoryAlone: 150,
  mutants: 783,
  mutantsKilled: 783,
  variants: 146,
  falsePositives: 0,
};
