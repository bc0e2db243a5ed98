/** Texts about places, the region and what pages are about. */
export interface PlaceWords {
  /** Above the choice of a place. */
  title: string;
  near: string;
  whole(region: string): string;
  /** A place that was chosen. */
  chosen(place: string): string;
  /** What of the query, or of the reader's choice, an order of results comes from. */
  asked(places: readonly string[]): string;
  elsewhere(places: readonly string[]): string;
  categories: Readonly<Record<Category, string>>;
}

/** Those of seeds/categories.json. */
type Category =
  | "government"
  | "news"
  | "education"
  | "health"
  | "culture"
  | "sport"
  | "shopping"
  | "jobs"
  | "property"
  | "travel"
  | "food"
  | "business";

const listed = (places: readonly string[]): string => places.join(", ");

const en: PlaceWords = {
  title: "Place",
  near: "Town or area",
  whole: (region) => `All of ${region}`,
  chosen: (place) => `Near ${place}`,
  asked: (places) => `asked for: ${listed(places)}`,
  elsewhere: (places) => `turned round: the query names ${listed(places)}, which lies elsewhere`,
  categories: {
    government: "Government",
    news: "News",
    education: "Education",
    health: "Health",
    culture: "Arts and culture",
    sport: "Sports",
    shopping: "Shopping",
    jobs: "Jobs",
    property: "Property",
    travel: "Travel",
    food: "Food",
    business: "Business",
  },
};

const fr: PlaceWords = {
  title: "Lieu",
  near: "Ville ou région",
  whole: (region) => `Partout : ${region}`,
  chosen: (place) => `Près de : ${place}`,
  asked: (places) => `lieu demandé : ${listed(places)}`,
  elsewhere: (places) => `inversé : la requête nomme un lieu d’ailleurs, ${listed(places)}`,
  categories: {
    government: "Administration",
    news: "Actualités",
    education: "Éducation",
    health: "Santé",
    culture: "Culture",
    sport: "Sport",
    shopping: "Achats",
    jobs: "Emploi",
    property: "Immobilier",
    travel: "Voyages",
    food: "Cuisine",
    business: "Entreprises",
  },
};

const pt: PlaceWords = {
  title: "Lugar",
  near: "Cidade ou área",
  whole: (region) => `Em toda a região: ${region}`,
  chosen: (place) => `Perto de: ${place}`,
  asked: (places) => `lugar pedido: ${listed(places)}`,
  elsewhere: (places) => `invertido: a consulta nomeia ${listed(places)}, que fica noutro lugar`,
  categories: {
    government: "Governo",
    news: "Notícias",
    education: "Educação",
    health: "Saúde",
    culture: "Cultura",
    sport: "Esporte",
    shopping: "Compras",
    jobs: "Empregos",
    property: "Imóveis",
    travel: "Viagens",
    food: "Culinária",
    business: "Empresas",
  },
};

const ru: PlaceWords = {
  title: "Место",
  near: "Город или район",
  whole: (region) => `Весь регион: ${region}`,
  chosen: (place) => `Рядом: ${place}`,
  asked: (places) => `указано место: ${listed(places)}`,
  elsewhere: (places) => `наоборот: в запросе место вне региона, ${listed(places)}`,
  categories: {
    government: "Власть",
    news: "Новости",
    education: "Образование",
    health: "Здоровье",
    culture: "Культура",
    sport: "Спорт",
    shopping: "Покупки",
    jobs: "Работа",
    property: "Недвижимость",
    travel: "Путешествия",
    food: "Еда",
    business: "Бизнес",
  },
};

export const places = { en, fr, pt, ru };
