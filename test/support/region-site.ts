/** A made site of Quebec and of elsewhere: pages of both say the same of the same things. */

export interface RegionPage {
  readonly url: string;
  readonly html: string;
}

interface Owner {
  readonly lang: string;
  readonly host: string;
  /** What stands at the foot of each of its pages. */
  readonly foot: string;
}

const OWNERS = {
  saguenay: [
    "fr-CA",
    "loisirs.saguenay.test",
    "Loisirs, 201 rue Racine, Saguenay (Québec) G7H 1R8, 418 555-0101",
  ],
  montreal: [
    "fr-CA",
    "www.quartier.test",
    "4100 rue Masson, Montréal (Québec) H1X 1S1, 514 555-0102",
  ],
  laval: [
    "fr-CA",
    "clinique.test",
    "Clinique, 12 boulevard Le Corbusier, Laval (Québec) H7S 1Z1, 450 555-0103",
  ],
  rimouski: [
    "fr-CA",
    "journal.bas-fleuve.test",
    "Journal, 1 rue Saint-Germain, Rimouski (Québec) G5L 1A1, 418 555-0104",
  ],
  city: ["en-CA", "www.plateau.test", "Montreal (Quebec) H2J 2L1, 438 555-0105"],
  agency: [
    "fr-CA",
    "voyages.test",
    "Agence de voyages, Lévis (Québec) G6V 1A1, 418 555-0106. Permis du Québec 702000",
  ],
  trois: [
    "fr-CA",
    "biblio.mauricie.test",
    "Bibliothèque, Trois-Rivières (Québec) G9A 1A1, 819 555-0107",
  ],
  jobs: ["fr-CA", "emplois.test", "Sherbrooke (Québec) J1H 1A1, 819 555-0108. Revenu Québec"],
  paris: ["fr-FR", "www.capitale.test", "Mairie, 75004 Paris, France, 01 55 01 02 03"],
  lyon: [
    "fr-FR",
    "fournil.test",
    "Boulangerie, 69002 Lyon, France, 04 55 01 02 03. SIRET 123 456 789",
  ],
  bordeaux: [
    "fr-FR",
    "sante.test",
    "Clinique, 33000 Bordeaux, France, 05 55 01 02 03. SIRET 223 456 789",
  ],
  rennes: ["fr-FR", "journal.ouest.test", "Mairie de Rennes, 35000 Rennes, France, 02 55 01 02 03"],
  toronto: ["en-CA", "hall.test", "100 Queen Street, Toronto, Ontario M5H 2N2, 416 555-0109"],
  london: ["en-GB", "museum.test", "London WC1B 3DG, United Kingdom"],
  tokyo: ["en-US", "eat.test", "Tokyo 100-0001, Japan"],
} as const satisfies Record<string, readonly [string, string, string]>;

type OwnerName = keyof typeof OWNERS;

/** Said alike by several owners, so that nothing but where they are tells their pages apart. */
const ALIKE: readonly (readonly [path: string, title: string, text: string, ...OwnerName[]])[] = [
  [
    "/piscine",
    "Piscine municipale : horaire",
    "L'horaire de la piscine municipale change en été. La piscine offre des bains libres et des cours.",
    "saguenay",
    "rennes",
  ],
  [
    "/boulangerie",
    "Boulangerie artisanale",
    "Notre boulangerie artisanale cuit son pain au levain chaque matin. La boulangerie ouvre à six heures.",
    "montreal",
    "lyon",
  ],
  [
    "/clinique",
    "Clinique sans rendez-vous",
    "La clinique médicale reçoit sans rendez-vous. Un médecin voit chaque patient de la clinique le jour même.",
    "laval",
    "bordeaux",
  ],
  [
    "/velos",
    "Location de vélos",
    "La location de vélos se fait à l'heure. Les vélos en location attendent à chaque coin de rue.",
    "montreal",
    "paris",
  ],
  [
    "/renovation",
    "Permis de rénovation",
    "Un permis de rénovation est demandé avant tous les travaux. Le permis coûte cent.",
    "saguenay",
    "rennes",
  ],
  [
    "/ecole",
    "École primaire : inscription",
    "L'inscription à l'école primaire commence en février. L'école accueille les élèves de six ans.",
    "laval",
    "rennes",
  ],
  [
    "/festival",
    "Festival de musique d'été",
    "Le festival de musique revient cet été. Musique de rue chaque soir du festival.",
    "rimouski",
    "bordeaux",
  ],
  [
    "/garage",
    "Garage : mécanique et pneus",
    "Le garage pose vos pneus et fait la mécanique. Pneus d'hiver au garage dès novembre.",
    "jobs",
    "lyon",
  ],
  [
    "/library",
    "Public library: opening hours",
    "The public library keeps its opening hours on holidays. The library lends books and films.",
    "city",
    "toronto",
  ],
  [
    "/tarte",
    "Recette de tarte au sucre",
    "Cette recette de tarte au sucre demande de la crème. La tarte au sucre se mange tiède.",
    "montreal",
    "paris",
  ],
  [
    "/nouvelles",
    "Nouvelles du jour",
    "Les nouvelles du jour : le conseil vote le budget, la rue principale ferme.",
    "rimouski",
    "rennes",
  ],
];

/** What one of them says alone. */
const ALONE: readonly (readonly [OwnerName, path: string, title: string, text: string])[] = [
  [
    "saguenay",
    "/hockey",
    "Hockey mineur à Chicoutimi",
    "Les équipes de hockey mineur jouent à Chicoutimi. Hockey le samedi.",
  ],
  [
    "rennes",
    "/hockey",
    "Hockey mineur",
    "Les équipes de hockey mineur jouent le samedi. Hockey pour tous.",
  ],
  [
    "trois",
    "/",
    "Bibliothèque de Trois-Rivières",
    "La bibliothèque de Trois-Rivières prête des livres et des jeux.",
  ],
  [
    "paris",
    "/bibliotheque",
    "Bibliothèque",
    "La bibliothèque prête des livres et des jeux. Trois étages, deux rivières peintes au mur.",
  ],
  [
    "jobs",
    "/emploi",
    "Offres d'emploi",
    "Chaque emploi est affiché ici. Postulez à une offre d'emploi en ligne.",
  ],
  [
    "lyon",
    "/emploi",
    "Offres d'emploi",
    "Chaque emploi est affiché ici. Postulez à une offre d'emploi en ligne, emploi stable.",
  ],
  [
    "paris",
    "/",
    "Paris, la capitale",
    "Paris compte vingt arrondissements. La Seine traverse Paris, et le métro de Paris roule la nuit.",
  ],
  [
    "agency",
    "/paris",
    "Voyage à Paris",
    "Partez à Paris en mai. Notre forfait Paris comprend le vol, et le métro de Paris.",
  ],
  [
    "paris",
    "/musees",
    "Musées de Paris",
    "Les musées de Paris ouvrent le mardi. Le Louvre est l'un des musées, le plus grand de Paris.",
  ],
  [
    "agency",
    "/musees",
    "Visiter les musées de Paris",
    "Nos clients aiment les musées. Un forfait pour les musées de Paris est offert en mai.",
  ],
  [
    "lyon",
    "/hotel",
    "Hôtel à Lyon",
    "Un hôtel calme au centre de Lyon, près de la gare. L'hôtel a vingt chambres.",
  ],
  [
    "agency",
    "/lyon",
    "Réservez un hôtel à Lyon",
    "Un hôtel à Lyon dès cent dollars. Réservez votre hôtel avec notre agence.",
  ],
  [
    "bordeaux",
    "/meteo",
    "Météo de Bordeaux",
    "La météo de Bordeaux : pluie le matin, soleil le soir. Météo marine aussi.",
  ],
  [
    "agency",
    "/meteo",
    "La météo pour vos voyages",
    "La météo de Bordeaux est douce en mai. Consultez la météo avant de partir.",
  ],
  [
    "toronto",
    "/",
    "Toronto City Hall",
    "Toronto City Hall holds council meetings. City Hall of Toronto is open on weekdays.",
  ],
  [
    "city",
    "/toronto",
    "A weekend in Toronto",
    "See Toronto City Hall from the square. Toronto is five hours by train from Montreal.",
  ],
  [
    "london",
    "/",
    "London Museum",
    "The London Museum tells the story of London from Roman times. The museum is free.",
  ],
  [
    "city",
    "/london",
    "Museum exhibit from London",
    "Our museum shows prints from London. A museum in London lent them to Montreal.",
  ],
  [
    "tokyo",
    "/",
    "Restaurants in Tokyo",
    "Restaurants in Tokyo serve sushi and ramen. Tokyo has the most restaurants of all cities.",
  ],
  [
    "city",
    "/sushi",
    "Restaurants with a taste of Tokyo",
    "Montreal restaurants serve sushi as in Tokyo. These restaurants open late.",
  ],
  [
    "paris",
    "/eiffel",
    "La tour Eiffel : histoire",
    "L'histoire de la tour Eiffel commence en 1887. La tour Eiffel fut bâtie en deux ans.",
  ],
  [
    "paris",
    "/cassoulet",
    "Recette de cassoulet",
    "La recette de cassoulet demande des haricots. Le cassoulet mijote six heures.",
  ],
  [
    "montreal",
    "/chalet",
    "Soirée au chalet",
    "Au chalet nous avons suivi une recette, un cassoulet, puis une recette de sucre à la crème.",
  ],
  [
    "agency",
    "/forfaits",
    "Nos forfaits",
    "Un souper près de la tour Eiffel, une histoire d'amour : nos forfaits de Lévis, Québec et Montréal.",
  ],
  [
    "london",
    "/parliament",
    "Debate in Parliament on Brexit",
    "Parliament held a debate on Brexit. The Brexit debate in Parliament lasted a week.",
  ],
  [
    "city",
    "/news",
    "News of the week",
    "In Montreal and Quebec a debate on tramways goes on; abroad, Brexit is before parliament.",
  ],
  [
    "city",
    "/bagels",
    "Montreal bagels and restaurants",
    "Restaurants of Montreal bake bagels in wood ovens. Montreal restaurants open early.",
  ],
];

export function regionSite(): RegionPage[] {
  const alike = ALIKE.flatMap(([path, title, text, ...owners]) =>
    owners.map((owner) => pageOf(owner, path, title, text)),
  );
  return [...alike, ...ALONE.map((page) => pageOf(...page))];
}

function pageOf(name: OwnerName, path: string, title: string, text: string): RegionPage {
  const [lang, host, foot] = OWNERS[name];
  const { url, html } = {
    url: `https://${host}${path}`,
    html: htmlOf({ lang, host, foot }, title, text),
  };
  return { url, html };
}

/** Words that fill pages without telling them apart. */
const FILLER = {
  fr: "Merci de votre visite sur cette page. Écrivez pour toute question, la réponse vient vite.",
  en: "Thank you for your visit to this page. Write with any question, the answer comes soon.",
} as const;

function htmlOf({ lang, foot }: Owner, title: string, text: string): string {
  const filler = FILLER[lang.startsWith("fr") ? "fr" : "en"];
  const main = `<main><h1>${title}</h1><p>${text}</p><p>${filler}</p></main>`;
  const body = `${main}<footer><p>${foot}</p></footer>`;
  return `<!doctype html><html lang="${lang}"><title>${title}</title><body>${body}</body></html>`;
}

const at = (owner: OwnerName, path: string): string => `https://${OWNERS[owner][1]}${path}`;

/** What is asked, and which page must come first. */
export const ASKS_FOR_REGION: readonly (readonly [query: string, url: string])[] = [
  ["piscine Saguenay", at("saguenay", "/piscine")],
  ["horaire de la piscine à saguenay", at("saguenay", "/piscine")],
  ["boulangerie montreal", at("montreal", "/boulangerie")],
  ["clinique médicale Laval", at("laval", "/clinique")],
  ["nouvelles Rimouski", at("rimouski", "/nouvelles")],
  ["restaurants montreal", at("city", "/bagels")],
  ["hockey chicoutimi", at("saguenay", "/hockey")],
  ["bibliothèque trois rivières", at("trois", "/")],
  ["garage sherbrooke", at("jobs", "/garage")],
  ["emploi Québec", at("jobs", "/emploi")],
];

/** Nothing but the region tells the best apart. */
export const LEAVES_IT_OPEN: readonly (readonly [query: string, url: string])[] = [
  ["boulangerie artisanale", at("montreal", "/boulangerie")],
  ["clinique sans rendez-vous", at("laval", "/clinique")],
  ["horaire piscine municipale", at("saguenay", "/piscine")],
  ["recette tarte au sucre", at("montreal", "/tarte")],
  ["permis de rénovation", at("saguenay", "/renovation")],
  ["location de vélos", at("montreal", "/velos")],
  ["public library opening hours", at("city", "/library")],
  ["garage mécanique pneus", at("jobs", "/garage")],
  ["inscription école primaire", at("laval", "/ecole")],
  ["festival de musique", at("rimouski", "/festival")],
];

export const ASKS_FOR_ELSEWHERE: readonly (readonly [query: string, url: string])[] = [
  ["Paris", at("paris", "/")],
  ["musées de paris", at("paris", "/musees")],
  ["hôtel Lyon", at("lyon", "/hotel")],
  ["boulangerie lyon", at("lyon", "/boulangerie")],
  ["toronto city hall", at("toronto", "/")],
  ["restaurants tokyo", at("tokyo", "/")],
  ["london museum", at("london", "/")],
  // No place is named: the better text has to do.
  ["histoire de la tour Eiffel", at("paris", "/eiffel")],
  ["cassoulet recette", at("paris", "/cassoulet")],
  ["brexit debate parliament", at("london", "/parliament")],
];
